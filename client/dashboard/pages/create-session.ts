import type { SessionRecord, SnapshotRecord } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { routeTo } from '../../../protocol/routes/address.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { choice } from '../../page/field.ts';
import { readList } from '../paged.ts';
import type { Context } from '../view.ts';

const PLATFORMS = ['ios', 'android'] as const;
const IDLE = [
  ['2m', '2 minutes'],
  ['10m', '10 minutes'],
  ['1h', '1 hour'],
  ['4h', '4 hours'],
] as const;
const HARD = [
  ['30m', '30 minutes'],
  ['2h', '2 hours'],
  ['8h', '8 hours'],
  ['24h', '24 hours'],
] as const;

/** Shows the form for a new session and creates it; `undefined` if it is cancelled. */
export async function createSession({ api }: Context): Promise<SessionRecord | undefined> {
  const none = { items: [], more: false };
  const { items: assets } = await readList(api, routeTo('GET /service/assets'), 'assets').catch(() => none);
  const { items: snapshots } = await readList(api, routeTo('GET /service/snapshots'), 'snapshots').catch(() => ({
    ...none,
    items: [] as SnapshotRecord[],
  }));
  const start = choice('Start from', [['', 'A new phone']]);
  const radios = PLATFORMS.map((value) => element('input', { type: 'radio', name: 'platform', value }));
  const [first] = radios;
  if (first) first.checked = true;
  const platform = () => radios.find(({ checked }) => checked)?.value ?? 'ios';
  const boxes = assets.map((asset) => ({ asset, box: element('input', { type: 'checkbox', value: asset.id }) }));
  const apps = element('div', { class: 'ticks' });
  const showApps = () => {
    const fitting = boxes.filter(({ asset }) => asset.platform === platform());
    const ticks = fitting.map(({ asset, box }) => element('label', {}, box, `${asset.name} ${asset.version}`));
    apps.replaceChildren(
      ...(ticks.length === 0 ? [element('p', { class: 'hint' }, 'No app for this platform.')] : ticks),
    );
  };
  const showSnapshots = () => {
    const fitting = snapshots.filter((snapshot) => snapshot.platform === platform());
    const options = fitting.map(({ name, model }) => element('option', { value: name }, `${name} (${model})`));
    start.select.replaceChildren(element('option', { value: '' }, 'A new phone'), ...options);
  };
  const showFitting = () => {
    showApps();
    showSnapshots();
  };
  for (const radio of radios) radio.addEventListener('change', showFitting);
  showFitting();
  const idle = choice('Inactivity timeout', IDLE, '10m');
  const hard = choice('Maximum duration', HARD, '2h');
  let session: SessionRecord | undefined;
  await openDialog({
    title: 'New session',
    content: [
      element(
        'fieldset',
        { class: 'platforms' },
        element('legend', {}, 'Platform'),
        ...radios.map((radio, index) => {
          return element('label', { class: 'option' }, radio, PLATFORM_NAMES[PLATFORMS[index] ?? 'ios']);
        }),
      ),
      ...(snapshots.length === 0 ? [] : [start.row]),
      element('fieldset', {}, element('legend', {}, 'Apps to install'), apps),
      element('div', { class: 'pair' }, idle.row, hard.row),
    ],
    confirm: 'Create session',
    busy: 'Starting the device…',
    onConfirm: async () => {
      const installAssets = boxes
        .filter(({ asset, box }) => box.checked && asset.platform === platform())
        .map(({ asset }) => asset.id);
      session = await api.ask(routeTo('POST /service/sessions'), {
        body: {
          platform: platform(),
          ...(start.select.value === '' ? {} : { snapshot: start.select.value }),
          inactivityTimeout: idle.select.value,
          hardTimeout: hard.select.value,
          ...(installAssets.length === 0 ? {} : { installAssets }),
        },
      });
    },
  });
  return session;
}
