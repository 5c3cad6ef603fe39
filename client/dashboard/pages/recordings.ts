import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../viewer/ui/element.ts';
import { Extent, type Opened, readList } from '../paged.ts';
import { button } from '../ui/button.ts';
import { openDialog } from '../ui/dialog.ts';
import { icon } from '../ui/icons.ts';
import { emptyState } from '../ui/notice.ts';
import { loaded, page } from '../ui/page.ts';
import { dateAndTime, fromNow, PLATFORM_NAMES, size, span } from '../ui/words.ts';
import { type Context, repeat, type View } from '../view.ts';

/** Recordings are kept for seven days from their beginning, and a session lasts a day at most. */
const KEPT_MS = 8 * 86_400_000;
/** Recordings are listed session by session: the newest ones are asked for, a few at a time, and more when they are wanted. */
const SESSIONS_ASKED = 50;
const ASKED_AT_ONCE = 6;
const REFRESH_MS = 5_000;

interface Found {
  readonly session: SessionRecord;
  readonly recording: RecordingRecord;
}

const STATUS: Readonly<Record<RecordingRecord['status'], string>> = {
  starting: 'Starting',
  recording: 'Recording now',
  finalizing: 'Finishing',
  ready: 'Ready',
  failed: 'Failed',
  deleting: 'Being deleted',
  deleted: 'Deleted',
};

export const recordingsPage: View = (context) => {
  let running = true;
  const extent = new Extent(SESSIONS_ASKED);
  const { place, reload } = loaded(async () => {
    const { items: found, more } = await findRecordings(context, extent.count);
    running = found.some(({ recording }) => ['starting', 'recording', 'finalizing'].includes(recording.status));
    const older = more ? [extent.more(() => reload())] : [];
    if (found.length > 0) {
      return element('div', {}, element('ul', { class: 'rows' }, ...found.map(recordingRow)), ...older);
    }
    const how = 'Record a session in its viewer or from a program. Recordings are kept for seven days.';
    const nothing = more ? 'No recordings in the latest sessions' : 'No recordings yet';
    return emptyState('recordings', nothing, how, ...older);
  });
  repeat(async () => running && !document.querySelector('dialog') && reload(), REFRESH_MS, context.leaving);
  return page('Recordings', [], place);
};

/** Recordings of the newest sessions; `more`: older sessions may have recordings too. */
async function findRecordings({ api, leaving }: Context, count: number): Promise<Opened<Found>> {
  const isRecent = ({ createdAt }: SessionRecord) => Date.now() - Date.parse(createdAt) < KEPT_MS;
  const enough = (sessions: readonly SessionRecord[]) => sessions.length >= count || !sessions.every(isRecent);
  const { items, more } = await readList(api, routeTo('GET /service/sessions'), 'sessions', {
    signal: leaving,
    isEnough: enough,
  });
  const recent = items.filter(isRecent);
  const found: Found[] = [];
  const rest = recent.slice(0, count);
  const askNext = async () => {
    for (let session = rest.shift(); session; session = rest.shift()) {
      const { platform, id: sessionId } = session;
      const to = routeTo('GET /service/{platform}/{sessionId}/recordings', { platform, sessionId });
      const { items: recordings } = await readList(api, to, 'recordings', { signal: leaving });
      for (const recording of recordings) found.push({ session, recording });
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
  found.sort((one, other) => other.recording.createdAt.localeCompare(one.recording.createdAt));
  return { items: found, more: recent.length > count || (more && recent.length === items.length) };
}

function recordingRow({ session, recording }: Found): HTMLElement {
  const { status, createdAt, durationMs, byteSize, downloadUrl, failure, retentionExpiresAt } = recording;
  const name = `${session.device.model}, ${dateAndTime(createdAt)}`;
  const facts = [
    PLATFORM_NAMES[session.platform],
    dateAndTime(createdAt),
    ...(durationMs === undefined ? [] : [span(durationMs)]),
    ...(byteSize === undefined ? [] : [size(byteSize)]),
    ...(retentionExpiresAt === undefined ? [] : [`deleted ${fromNow(retentionExpiresAt)}`]),
  ];
  const text = element(
    'div',
    { class: 'main' },
    element('strong', {}, session.device.model),
    element('span', { class: 'quiet' }, facts.join(' · ')),
  );
  if (failure) {
    const remedy = failure.action ?? 'Record the session again.';
    const next = failure.nextAttemptAt === undefined ? '' : ` The next attempt is ${fromNow(failure.nextAttemptAt)}.`;
    text.append(element('p', { class: 'remedy' }, `${failure.message} ${remedy}${next}`));
  }
  const actions = element('div', { class: 'actions' });
  if (downloadUrl !== undefined) {
    actions.append(
      button('Play', () => void play(name, downloadUrl), {
        icon: 'play',
        attributes: { 'aria-label': `Play ${name}` },
      }),
      element(
        'a',
        { class: 'button', href: downloadUrl, download: '', 'aria-label': `Download ${name}` },
        icon('download'),
        'Download',
      ),
    );
  }
  const chip = element('span', { class: `chip ${status}` }, STATUS[status]);
  return element('li', { class: 'row recording', 'data-recording': recording.id }, text, chip, actions);
}

async function play(name: string, url: string): Promise<void> {
  const video = element('video', { controls: true, autoplay: true, playsinline: true, src: url, 'aria-label': name });
  const trouble = element('p', { class: 'remedy', role: 'alert' });
  video.addEventListener('error', () => {
    trouble.textContent = 'The recording cannot be played here. Download it, or load this page again.';
  });
  await openDialog({ title: name, content: [video, trouble], wide: true });
  // Nothing more is to be loaded.
  video.removeAttribute('src');
  video.load();
}
