import { ACTION_LIMITS } from '../../../protocol/action-limits.ts';
import { routeTo } from '../../../protocol/routes/address.ts';
import { type Api, ApiError } from '../../page/api.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';
import { startAgain } from './session-actions.ts';

/** A picture on its way, and the device's own time for it. */
const UPLOAD_MS_MAX = 300_000;

export interface DropOptions {
  readonly viewer: Viewer;
  /** Absent where nobody is signed in. */
  readonly api: Api | undefined;
  readonly place: HTMLElement;
  readonly say: (sentence: string) => void;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** What a browser takes for a picture or a video, by the file's name. */
const isMedia = ({ type }: File): boolean => /^(?:image|video)\//.test(type);

/** Takes what is dropped on the page: a picture or a video goes to the photo library. An app is installed, or a new session starts with it where the device gets its apps at the start alone. */
export function takeDroppedApps({ viewer, api, place, say }: DropOptions): void {
  const over = (isOver: boolean): void => {
    place.dataset.dropping = String(isOver);
  };
  place.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    // Without this the browser leaves the page, and shows the file.
    event.preventDefault();
    over(true);
  });
  place.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) over(false);
  });
  place.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(false);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    if (api === undefined) say('Sign in to the dashboard in this browser to put files on the device.');
    else if (isMedia(file)) void addToPhotos(api, viewer, file, say);
    else void install(api, viewer, file, say);
  });
}

async function addToPhotos(api: Api, viewer: Viewer, file: File, say: DropOptions['say']): Promise<void> {
  const { session, capabilities } = viewer.ready ?? {};
  if (!session) return;
  if (!capabilities?.media) return say('This device has no photo library that can be reached.');
  const { platform, id: sessionId } = session;
  const to = routeTo('POST /service/{platform}/{sessionId}/media', { platform, sessionId });
  const progress = (share: number) => say(`Adding ${file.name} to the photos: ${Math.floor(share * 100)} %`);
  try {
    await api.send(to, file, progress, AbortSignal.timeout(UPLOAD_MS_MAX));
    say(`${file.name} is in the photos.`);
  } catch (error) {
    say(error instanceof ApiError ? error.message : `${file.name} was not added.`);
  }
}

async function install(api: Api, viewer: Viewer, file: File, say: DropOptions['say']): Promise<void> {
  const { session, capabilities } = viewer.ready ?? {};
  if (!session || !capabilities) return;
  const runs = capabilities.actions.includes('installApp');
  const progress = element('progress', { max: 1, value: 0, 'aria-label': `Upload of ${file.name}`, hidden: true });
  const words = runs
    ? `${file.name} is uploaded and installed on this device, until the session ends.`
    : `This device gets its apps when its session starts. ${file.name} is uploaded, and a new session starts with it; this one goes on.`;
  const stop = new AbortController();
  await openDialog({
    title: runs ? 'Install this app?' : 'Start a session with this app?',
    content: [element('p', {}, words), progress],
    confirm: runs ? 'Upload and install' : 'Upload and start',
    busy: 'Uploading…',
    onCancel: () => stop.abort(),
    onConfirm: async () => {
      progress.hidden = false;
      const asset = await api.upload(
        file,
        (share) => {
          progress.value = share;
        },
        stop.signal,
      );
      if (asset.platform !== session.platform) {
        const name = asset.platform === 'ios' ? 'an iPhone' : 'an Android phone';
        throw new ApiError(
          'wrong_platform',
          `${asset.name} is an app for ${name}.`,
          'Drop it on a session of that kind.',
        );
      }
      if (runs) {
        const timeoutMs = ACTION_LIMITS.interactionTimeoutMs.max;
        const { ok, error } = await viewer.act({ action: 'installApp', asset: asset.id, timeoutMs });
        if (!ok) throw new ApiError(error?.code ?? 'interaction_failed', error?.message ?? 'It was not installed.');
        return say(`${asset.name} is installed.`);
      }
      await startAgain(api, { ...session, installAssets: [...new Set([...session.installAssets, asset.id])] });
    },
  });
}
