import type { Api } from '../../page/api.ts';
import { copyField } from '../../page/copy-field.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';
import { renameTool, toolButton } from './tool-button.ts';

/** The fields of a recording that the button needs, not yet checked. */
interface Followed {
  readonly id?: unknown;
  readonly sessionId?: unknown;
  readonly status?: unknown;
  readonly startedAt?: unknown;
  readonly downloadUrl?: unknown;
  readonly failure?: { readonly message?: unknown };
}

const EVERY_MS = 250;

/** Minutes and seconds of a running recording. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Starts and stops the session's recording, and shows how long it runs; it also follows what others start and stop.
 *
 * @param api absent where nobody is signed in: who has only a link cannot read recordings
 */
export function recordButton(viewer: Viewer, say: (sentence: string) => void, api: Api | undefined): HTMLButtonElement {
  let ticking: ReturnType<typeof setTimeout> | undefined;
  /** The session's active recording. */
  let recording: { readonly id: string; readonly saving: boolean; readonly sinceMs: number } | undefined;

  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { id, status, startedAt } = value as Followed;
    if (status === 'starting' || status === 'recording')
      recording = { id: String(id), saving: false, sinceMs: since(startedAt) };
    else if (status === 'finalizing') recording = { id: String(id), saving: true, sinceMs: 0 };
    else if (recording?.id === id) recording = undefined;
    show();
  };
  /** On this page's clock: the two may differ. */
  const since = (startedAt: unknown): number => {
    const nowUs = viewer.ready?.serverTimeUs;
    const ranMs = typeof startedAt === 'string' && nowUs !== undefined ? nowUs / 1_000 - Date.parse(startedAt) : 0;
    return recording?.saving === false ? recording.sinceMs : performance.now() - Math.max(0, ranMs);
  };
  const show = (): void => {
    const running = recording !== undefined && !recording.saving;
    clearTimeout(ticking);
    if (running) ticking = setTimeout(show, EVERY_MS);
    button.classList.toggle('recording', running);
    button.setAttribute('aria-pressed', String(running));
    // Nothing can be started before the last one is saved, and nothing is left to stop.
    button.disabled = recording?.saving === true;
    if (running)
      renameTool(button, 'Stop recording', 'stop', elapsedText(performance.now() - (recording?.sinceMs ?? 0)));
    else renameTool(button, recording ? 'Saving the recording' : 'Record', 'record');
  };
  const act = async (): Promise<void> => {
    const stopping = recording?.id;
    const answer = await (stopping === undefined ? viewer.startRecording() : viewer.stopRecording(stopping));
    const followed = answer.result?.recording;
    follow(followed);
    if (answer.error) say(answer.error.message);
    else if (stopping === undefined) say('Recording.');
    else if (api && (followed as Followed).status === 'ready') void showRecording(followed as Followed);
    else say(outcomeOf(followed));
  };
  const list = async (): Promise<void> => {
    const { result } = await viewer.listRecordings();
    const recordings: unknown = result?.recordings;
    if (Array.isArray(recordings)) for (const known of recordings.toReversed()) follow(known);
  };
  const button = toolButton('Record', 'record', () => void act());
  button.classList.add('record');
  viewer.on('event', (event) => {
    if (event.event === 'recording') follow(event.recording);
  });
  // Finds a recording that was started before this page was opened, or that ended while it was not connected.
  viewer.on('ready', () => void list());
  void list();
  return button;
}

/** Shows what can be done with a recording that was saved. */
function showRecording({ id, sessionId, downloadUrl }: Followed): Promise<boolean> {
  const page = `/dashboard/recordings/${String(id)}?session=${String(sessionId)}`;
  const play = element('a', { class: 'button primary', href: page, target: '_blank', rel: 'noopener' }, 'Play');
  const download = element('a', { class: 'button', href: String(downloadUrl), download: '' }, 'Download');
  return openDialog({
    title: 'Recording saved',
    content: [
      element('p', {}, 'It is kept for seven days. The link is for those who can sign in to this account.'),
      copyField('Link to the recording', new URL(page, location.href).href),
    ],
    actions: [download, play],
  });
}

function outcomeOf(value: unknown): string {
  const { status, failure } = (value ?? {}) as Followed;
  if (status === 'ready') return 'Recording saved.';
  if (status === 'failed') return `The recording failed. ${failure?.message ?? ''}`;
  return 'The recording is still being saved.';
}
