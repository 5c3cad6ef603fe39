import { ACTION_LIMITS } from '../../../protocol/action-limits.ts';
import { type Api, ApiError } from '../../page/api.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';
import { startAgain } from './session-actions.ts';

export interface DropOptions {
  readonly viewer: Viewer;
  /** Absent where nobody is signed in. */
  readonly api: Api | undefined;
  readonly place: HTMLElement;
  readonly say: (sentence: string) => void;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Takes an app that is dropped on the page: it is installed, or a new session starts with it where the device gets its apps at the start alone. */
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
    if (api === undefined) say('Sign in to the dashboard in this browser to install an app.');
    else void install(api, viewer, file, say);
  });
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
