import type { Viewer } from '../viewer.ts';
import { renameTool, toolButton } from './tool-button.ts';

/** The fields of a recording that the button needs, not yet checked. */
interface Followed {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly failure?: { readonly message?: unknown };
}

/** Starts and stops the session's recording; it also follows what others start and stop. */
export function recordButton(viewer: Viewer, say: (sentence: string) => void): HTMLButtonElement {
  /** The session's active recording. */
  let recording: { readonly id: string; readonly saving: boolean } | undefined;

  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { id, status } = value as Followed;
    if (status === 'starting' || status === 'recording') recording = { id: String(id), saving: false };
    else if (status === 'finalizing') recording = { id: String(id), saving: true };
    else if (recording?.id === id) recording = undefined;
    show();
  };
  const show = (): void => {
    const running = recording !== undefined && !recording.saving;
    button.classList.toggle('recording', running);
    button.setAttribute('aria-pressed', String(running));
    // Nothing can be started before the last one is saved, and nothing is left to stop.
    button.disabled = recording?.saving === true;
    if (running) renameTool(button, 'Stop recording', 'stop');
    else renameTool(button, recording ? 'Saving the recording' : 'Record', 'record');
  };
  const act = async (): Promise<void> => {
    const stopping = recording?.id;
    const answer = await (stopping === undefined ? viewer.startRecording() : viewer.stopRecording(stopping));
    follow(answer.result?.recording);
    if (answer.error) say(answer.error.message);
    else say(stopping === undefined ? 'Recording.' : outcomeOf(answer.result?.recording));
  };
  const list = async (): Promise<void> => {
    const { result } = await viewer.listRecordings();
    const recordings: unknown = result?.recordings;
    if (Array.isArray(recordings)) for (const known of recordings.toReversed()) follow(known);
  };
  const button = toolButton('Record', 'record', () => void act());
  viewer.on('event', (event) => {
    if (event.event === 'recording') follow(event.recording);
  });
  // Finds a recording that was started before this page was opened, or that ended while it was not connected.
  viewer.on('ready', () => void list());
  void list();
  return button;
}

function outcomeOf(value: unknown): string {
  const { status, failure } = (value ?? {}) as Followed;
  if (status === 'ready') return 'Recording saved.';
  if (status === 'failed') return `The recording failed. ${failure?.message ?? ''}`;
  return 'The recording is still being saved.';
}
