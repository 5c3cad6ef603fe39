import type { AssetSummary } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button, whileBusy } from '../../page/button.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { emptyState, failureBox } from '../../page/notice.ts';
import { Extent, readList } from '../paged.ts';
import { loaded, page } from '../ui/page.ts';
import { fromNow, size } from '../ui/words.ts';
import type { Context, View } from '../view.ts';

export const appsPage: View = (context) => {
  const { api, leaving, say } = context;
  const file = element('input', { type: 'file', accept: '.apk,.ipa,.zip', hidden: true, 'aria-label': 'App package' });
  const uploads = element('div', { class: 'uploads' });
  const pick = () => file.click();
  const upload = button('Upload an app', pick, { look: 'primary', icon: 'upload' });
  const extent = new Extent(50);
  const { place, reload } = loaded(async () => {
    const enough = (assets: readonly AssetSummary[]) => assets.length >= extent.count;
    const assets = await readList(api, routeTo('GET /service/assets'), 'assets', { signal: leaving, isEnough: enough });
    if (assets.items.length > 0)
      return extent.show(
        assets,
        (asset) => row(asset),
        () => reload(),
      );
    const what = 'Upload an .apk, an .ipa or a zipped .app; new sessions can then install it.';
    return emptyState('apps', 'No apps yet', what, button('Upload an app', pick, { icon: 'upload' }));
  });

  const row = (asset: AssetSummary) => {
    const facts = [PLATFORM_NAMES[asset.platform], asset.identifier, size(asset.byteSize), fromNow(asset.createdAt)];
    const schemes = (asset.urlSchemes ?? []).map((scheme) => element('span', { class: 'chip' }, `${scheme}:`));
    return element(
      'li',
      { class: 'row', 'data-asset': asset.id },
      element(
        'div',
        { class: 'main' },
        element('strong', {}, `${asset.name} ${asset.version}`),
        element('span', { class: 'quiet' }, facts.join(' · ')),
        ...(schemes.length === 0 ? [] : [element('p', { class: 'labels' }, ...schemes)]),
      ),
      button('Delete', () => void remove(asset), { attributes: { 'aria-label': `Delete ${asset.name}` } }),
    );
  };

  const remove = async (asset: AssetSummary) => {
    const done = await openDialog({
      title: `Delete ${asset.name}?`,
      content: [element('p', {}, 'Sessions cannot install it any more. Upload it again if you need it.')],
      confirm: 'Delete',
      busy: 'Deleting…',
      look: 'danger',
      onConfirm: async () => void (await api.ask(routeTo('DELETE /service/assets/{assetId}', { assetId: asset.id }))),
    });
    if (done) {
      say(`${asset.name} was deleted.`);
      await reload();
    }
  };

  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    file.value = '';
    if (chosen) void send(context, chosen, uploads, reload);
  });
  leaving.addEventListener('abort', () => uploads.replaceChildren());
  return page('Apps', [upload, file], uploads, place);
};

/** Shows the way of one upload until it is there, was stopped, or failed. */
async function send(
  { api, leaving, say }: Context,
  file: File,
  uploads: HTMLElement,
  reload: () => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  leaving.addEventListener('abort', () => stop.abort());
  const progress = element('progress', { max: '1', value: '0', 'aria-label': `Upload of ${file.name}` });
  const state = element('span', { class: 'quiet', role: 'status' }, `0 % of ${size(file.size)}`);
  const cancel = button('Stop', () => stop.abort());
  const line = element(
    'div',
    { class: 'row upload' },
    element('div', { class: 'main' }, file.name, state),
    progress,
    cancel,
  );
  uploads.append(line);
  const onProgress = (share: number) => {
    progress.value = share;
    state.textContent = share < 1 ? `${Math.floor(share * 100)} % of ${size(file.size)}` : 'Reading the package…';
  };
  try {
    await whileBusyWith(progress, () => api.upload(file, onProgress, stop.signal));
    line.remove();
    say(`${file.name} was uploaded.`);
    await reload();
  } catch (error) {
    line.remove();
    if (!stop.signal.aborted) uploads.append(dismissable(failureBox(error)));
  }
}

async function whileBusyWith<T>(progress: HTMLProgressElement, work: () => Promise<T>): Promise<T> {
  progress.setAttribute('aria-busy', 'true');
  try {
    return await work();
  } finally {
    progress.removeAttribute('aria-busy');
  }
}

function dismissable(box: HTMLElement): HTMLElement {
  const dismiss = button('Dismiss', () => void whileBusy(dismiss, 'Dismiss', async () => box.remove()));
  box.append(dismiss);
  return box;
}
