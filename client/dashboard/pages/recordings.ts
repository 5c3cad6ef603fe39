import type { SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../page/element.ts';
import { emptyState } from '../../page/notice.ts';
import { Extent, type Opened, readList } from '../paged.ts';
import { filterBar } from '../ui/filter-bar.ts';
import { loaded, page } from '../ui/page.ts';
import { type Context, repeat, type View } from '../view.ts';
import { type Found, RECORDING_STATUS, recordingRow } from './recording-row.ts';

/** Recordings are kept for seven days from their beginning, and a session lasts a day at most. */
const KEPT_MS = 8 * 86_400_000;
/** Recordings are listed session by session: the newest ones are asked for, a few at a time, and more when they are wanted. */
const SESSIONS_ASKED = 50;
const ASKED_AT_ONCE = 6;
const REFRESH_MS = 5_000;

export const recordingsPage: View = (context) => {
  let running = true;
  const extent = new Extent(SESSIONS_ASKED);
  const states = (['recording', 'finalizing', 'ready', 'failed'] as const).map(
    (status) => [status, RECORDING_STATUS[status]] as const,
  );
  const filter = filterBar(states, () => void reload());
  const { place, reload } = loaded(async () => {
    const { items: found, more } = await findRecordings(context, extent.count);
    running = found.some(({ recording }) => ['starting', 'recording', 'finalizing'].includes(recording.status));
    const older = more ? [extent.more(() => reload())] : [];
    filter.element.hidden = found.length === 0;
    if (found.length > 0) {
      const wanted = found.filter(({ session, recording }) => filter.fits(session, recording.status));
      const list =
        wanted.length > 0
          ? element('ul', { class: 'rows' }, ...wanted.map(recordingRow))
          : element('p', { class: 'quiet' }, 'No recording fits.');
      return element('div', {}, list, ...older);
    }
    const how = 'Record a session in its viewer or from a program. Recordings are kept for seven days.';
    const nothing = more ? 'No recordings in the latest sessions' : 'No recordings yet';
    return emptyState('recordings', nothing, how, ...older);
  });
  repeat(async () => running && !document.querySelector('dialog') && reload(), REFRESH_MS, context.leaving);
  filter.element.hidden = true;
  return page('Recordings', [], filter.element, place);
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
