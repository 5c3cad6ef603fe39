import type { Viewer } from '../viewer.ts';
import { renameTool, toolButton } from './tool-button.ts';

/** Statuses in which a recording takes pictures, or soon will. */
const ACTIVE: readonly unknown[] = ['starting', 'recording'];

/** Starts and stops the session's recording; it also follows what others start and stop. */
export function recordButton(viewer: Viewer, say: (sentence: string) => void): HTMLButtonElement {
  let recordingId: string | undefined;

  const follow = (recording: unknown): void => {
    if (typeof recording !== 'object' || recording === null) return;
    const { id, status } = recording as Readonly<Record<string, unknown>>;
    if (ACTIVE.includes(status)) recordingId = String(id);
    else if (recordingId === id) recordingId = undefined;
    button.classList.toggle('recording', recordingId !== undefined);
    button.setAttribute('aria-pressed', String(recordingId !== undefined));
    if (recordingId === undefined) renameTool(button, 'Record', 'record');
    else renameTool(button, 'Stop recording', 'stop');
  };
  const act = async (): Promise<void> => {
    const stopping = recordingId;
    const answer = await (stopping === undefined ? viewer.startRecording() : viewer.stopRecording(stopping));
    if (answer.error) say(answer.error.message);
    else say(stopping === undefined ? 'Recording.' : 'Recording stopped.');
    follow(answer.result?.recording);
  };
  const button = toolButton('Record', 'record', () => void act());
  viewer.on('event', (event) => {
    if (event.event === 'recording') follow(event.recording);
  });
  // One that was started before this page came.
  void viewer.listRecordings().then(({ result }) => {
    const recordings: unknown = result?.recordings;
    if (Array.isArray(recordings)) for (const recording of recordings.toReversed()) follow(recording);
  });
  return button;
}
