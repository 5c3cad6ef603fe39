import type { SessionRecord } from '@runcloud/protocol';
import { element } from '../../viewer/ui/element.ts';
import type { RecordingRecord } from '../contract.ts';
import { button } from '../ui/button.ts';
import { openDialog } from '../ui/dialog.ts';
import { icon } from '../ui/icons.ts';
import { emptyState } from '../ui/notice.ts';
import { loaded, page } from '../ui/page.ts';
import { dateAndTime, fromNow, PLATFORM_NAMES, size, span } from '../ui/words.ts';
import { type Context, repeat, type View } from '../view.ts';

/** Recordings are kept for seven days from their beginning, and a session lasts a day at most. */
const KEPT_MS = 8 * 86_400_000;
/** Recordings are listed session by session: the newest ones are asked for, a few at a time. */
const SESSIONS_ASKED = 60;
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
  const { place, reload } = loaded(async () => {
    const found = await findRecordings(context);
    running = found.some(({ recording }) => ['starting', 'recording', 'finalizing'].includes(recording.status));
    if (found.length > 0) return element('ul', { class: 'rows' }, ...found.map(recordingRow));
    const how = 'Record a session in its viewer, or by a program. Recordings are kept for seven days.';
    return emptyState('recordings', 'No recordings yet', how);
  });
  repeat(async () => running && !document.querySelector('dialog') && reload(), REFRESH_MS, context.leaving);
  return page('Recordings', [], place);
};

async function findRecordings({ api, leaving }: Context): Promise<Found[]> {
  const { sessions } = await api.get<{ sessions: SessionRecord[] }>('/service/sessions', leaving);
  const recent = sessions
    .filter(({ createdAt }) => Date.now() - Date.parse(createdAt) < KEPT_MS)
    .slice(0, SESSIONS_ASKED);
  const found: Found[] = [];
  const rest = [...recent];
  const askNext = async () => {
    for (let session = rest.shift(); session; session = rest.shift()) {
      const path = `/service/${session.platform}/${session.id}/recordings`;
      const { recordings } = await api.get<{ recordings: RecordingRecord[] }>(path, leaving);
      for (const recording of recordings) found.push({ session, recording });
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
  return found.sort((one, other) => other.recording.createdAt.localeCompare(one.recording.createdAt));
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
