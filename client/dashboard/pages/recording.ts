import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { copyField } from '../../page/copy-field.ts';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { emptyState, failureBox, skeleton } from '../../page/notice.ts';
import { RecordingPlayer } from '../player/recording-player.ts';
import { page, section } from '../ui/page.ts';
import { sessionPath, sessionTitle } from '../ui/session-words.ts';
import { dateAndTime, fromNow, size, span } from '../ui/words.ts';
import { type Context, repeat, type View } from '../view.ts';
import { posterAddress, RECORDING_STATUS } from './recording-row.ts';

const READ_MS = 3_000;

/** One recording: player, facts and what happened to it. The address names its session too. */
export const recordingPage: View = (context) => {
  const { api, leaving } = context;
  const recordingId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
  const sessionId = new URLSearchParams(location.search).get('session') ?? '';
  const heading = () => element('h1', { tabindex: '-1' }, 'Recording');
  const place = element('div', { class: 'page' }, heading(), skeleton(4));
  let session: SessionRecord | undefined;
  let shown = '';

  const read = async () => {
    try {
      session ??= await api.ask(routeTo('GET /service/sessions/{sessionId}', { sessionId }), { signal: leaving });
      const to = { platform: session.platform, sessionId, recordingId };
      const recording = await api.ask(routeTo('GET /service/{platform}/{sessionId}/recordings/{recordingId}', to), {
        signal: leaving,
      });
      if (leaving.aborted || shown === recording.status) return;
      shown = recording.status;
      document.title = `Recording of ${sessionTitle(session)} · RunCloud`;
      place.replaceChildren(...content(context, session, recording).childNodes);
    } catch (error) {
      if (!leaving.aborted && shown === '') place.replaceChildren(heading(), trouble(error, refresh));
    }
  };
  const refresh = repeat(read, READ_MS, leaving);
  return place;
};

/** An unknown recording is no fault that trying again would mend. */
function trouble(error: unknown, again: () => void): HTMLElement {
  const code = (error as { code?: string }).code ?? '';
  if (!code.endsWith('_not_found')) return failureBox(error, again);
  const back = element('a', { class: 'button', href: '/dashboard/recordings' }, 'Go to recordings');
  return emptyState('recordings', 'There is no such recording', 'Recordings are kept for seven days.', back);
}

type Details = RecordingRecord & { readonly events: readonly { readonly type: string; readonly at: string }[] };

function content({ leaving }: Context, session: SessionRecord, recording: Details): HTMLElement {
  const { downloadUrl } = recording;
  const name = sessionTitle(session);
  const poster = posterAddress({ session, recording });
  const to = { platform: session.platform, sessionId: session.id, recordingId: recording.id };
  const inputs = routeTo('GET /service/{platform}/{sessionId}/recordings/{recordingId}/history.vtt', to);
  const actions =
    downloadUrl === undefined
      ? []
      : [element('a', { class: 'button primary', href: downloadUrl, download: '' }, icon('download'), 'Download')];
  const stage =
    downloadUrl === undefined
      ? emptyState('recordings', RECORDING_STATUS[recording.status], recording.failure?.message ?? 'There is no video.')
      : new RecordingPlayer({ name, url: downloadUrl, inputsUrl: inputs.path, poster, session, recording, leaving })
          .element;
  return page(`Recording of ${name}`, actions, stage, facts(session, recording), happened(recording));
}

function facts(session: SessionRecord, recording: Details): HTMLElement {
  const { id, createdAt, durationMs, byteSize, retentionExpiresAt, status, failure } = recording;
  const rows: [string, Node | string][] = [
    ['Session', element('a', { href: sessionPath(session.id) }, sessionTitle(session))],
    ['State', RECORDING_STATUS[status]],
    ['Id', copyField('Id of the recording', id)],
    ['Address', copyField('Address of this page, for people of your account', location.href)],
    ['Recorded', dateAndTime(createdAt)],
  ];
  if (durationMs !== undefined) rows.push(['Length', span(durationMs)]);
  if (byteSize !== undefined) rows.push(['Size', size(byteSize)]);
  if (retentionExpiresAt !== undefined) rows.push(['Deleted', fromNow(retentionExpiresAt)]);
  if (failure) rows.push(['Remedy', failure.action ?? 'Record the session again.']);
  const parts = rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return element('dl', { class: 'facts-list' }, ...parts);
}

function happened({ events }: Details): HTMLElement {
  const lines = events.map(({ type, at }) => {
    const time = element('time', { datetime: at, class: 'quiet' }, dateAndTime(at));
    return element('li', { class: 'row' }, time, element('span', { class: 'main' }, wordsOf(type)));
  });
  return section('History', element('ol', { class: 'rows history' }, ...lines));
}

/** `capture_started` as people read it. */
const wordsOf = (type: string): string => {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
