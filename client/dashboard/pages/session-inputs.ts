import type { HistoryEntry, SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../page/element.ts';
import { failureBox, skeleton } from '../../page/notice.ts';
import { inputWords, milliseconds } from '../ui/input-words.ts';
import { outcomeChip } from '../ui/outcome-chip.ts';
import { clockTime } from '../ui/words.ts';
import { type Context, repeat } from '../view.ts';

const READ_MS = 1_500;
/** Rows that are shown; older ones go, so that a page that stays open for a day does not grow. */
const ROWS_MAX = 200;

const CALLERS: Readonly<Record<HistoryEntry['by']['kind'], string>> = {
  key: 'API key',
  token: 'signed-in program',
  dashboard: 'dashboard',
  link: 'viewer link',
  session: 'viewer',
};

/** The newest inputs of a session, newest first; those of a live session as they come. */
export function sessionInputs({ api, leaving }: Context, session: SessionRecord): HTMLElement {
  const { platform, id: sessionId } = session;
  const rows = element('ol', { class: 'rows history', 'aria-label': 'Inputs' });
  const place = element('div', { class: 'inputs' }, skeleton(1));
  const shown = new Map<number, HTMLElement>();
  const open = new Set<number>();
  let last = 0;

  const read = async () => {
    const to = routeTo('GET /service/{platform}/{sessionId}/history', { platform, sessionId });
    // What had no outcome yet is asked for again.
    const after = Math.min(last, ...[...open].map((seq) => seq - 1));
    const query = last === 0 ? { newest: String(ROWS_MAX) } : { after: String(after), limit: String(ROWS_MAX) };
    try {
      const { entries } = await api.ask(to, { query, signal: leaving });
      for (const entry of entries) show(entry);
      if (shown.size === 0) place.replaceChildren(element('p', { class: 'quiet' }, 'Nobody has acted on the device.'));
      else if (!rows.isConnected) place.replaceChildren(rows);
    } catch (error) {
      // What is shown already stays: the next reading goes on behind it.
      if (shown.size === 0 && !leaving.aborted) place.replaceChildren(failureBox(error, () => void read()));
    }
  };
  const show = (entry: HistoryEntry) => {
    const { seq, status } = entry;
    if (status === 'pending') open.add(seq);
    else open.delete(seq);
    const row = inputRow(entry);
    const before = shown.get(seq);
    if (before) before.replaceWith(row);
    else if (seq > last) rows.prepend(row);
    else return;
    shown.set(seq, row);
    last = Math.max(last, seq);
    for (const [old, gone] of shown) {
      if (shown.size <= ROWS_MAX) break;
      gone.remove();
      shown.delete(old);
      open.delete(old);
    }
  };
  if (session.releasedAt === undefined) repeat(read, READ_MS, leaving);
  else void read();
  return place;
}

function inputRow({ action, fields, by, status, acceptedAt, durationMs, error }: HistoryEntry): HTMLElement {
  const time = element('time', { datetime: acceptedAt, class: 'quiet' }, clockTime(acceptedAt));
  const reason = error ? [element('span', { class: 'remedy' }, error.message)] : [];
  const words = element('span', { class: 'main' }, inputWords(action, fields), ...reason);
  const from = element('span', { class: 'quiet' }, CALLERS[by.kind]);
  const took = element('span', { class: 'quiet took' }, durationMs === undefined ? '' : milliseconds(durationMs));
  return element('li', { class: 'row' }, time, words, from, took, outcomeChip(status));
}
