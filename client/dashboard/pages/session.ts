import type { Event, SessionRecord } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button } from '../../page/button.ts';
import { copyField } from '../../page/copy-field.ts';
import { element } from '../../page/element.ts';
import { emptyState, failureBox, skeleton } from '../../page/notice.ts';
import { livePicture } from '../live/live-picture.ts';
import { readList } from '../paged.ts';
import { loaded, page, section } from '../ui/page.ts';
import { endingText, sessionName } from '../ui/session-words.ts';
import { dateAndTime, fromNow, span } from '../ui/words.ts';
import { type Context, repeat, type View } from '../view.ts';
import { canBeKept, keepSnapshot } from './keep-snapshot.ts';
import { recordingRow } from './recording-row.ts';
import { releaseSession } from './release-session.ts';
import { SessionHistory } from './session-history.ts';
import { sessionInputs } from './session-inputs.ts';
import { inspectorOf } from './session-inspector.ts';
import { viewerLinks } from './session-links.ts';

const READ_MS = 5_000;
const PROFILE = { maxFps: 30, maxLongEdge: 640 } as const;

/** One session, live or ended: what it is, how to reach it, and what happened in it. */
export const sessionPage: View = (context) => {
  const { api, leaving } = context;
  const sessionId = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
  const place = element('div', { class: 'page' }, element('h1', { tabindex: '-1' }, 'Session'), skeleton(4));
  let shown: SessionRecord | undefined;

  const read = async () => {
    if (shown?.releasedAt !== undefined) return;
    try {
      const session = await api.ask(routeTo('GET /service/sessions/{sessionId}', { sessionId }), { signal: leaving });
      const isNew = shown === undefined || shown.status !== session.status;
      shown = session;
      if (isNew && !leaving.aborted) show(session);
      else place.querySelector('.ends')?.replaceChildren(endsText(session));
    } catch (error) {
      if (!leaving.aborted && shown === undefined) {
        place.replaceChildren(element('h1', { tabindex: '-1' }, 'Session'), trouble(error, refresh));
      }
    }
  };
  const show = (session: SessionRecord) => {
    document.title = `${sessionName(session)} · RunCloud`;
    const hadFocus = place.contains(document.activeElement);
    const made = session.releasedAt === undefined ? livePage(context, session, refresh) : endedPage(context, session);
    place.replaceChildren(...made.childNodes);
    if (hadFocus) place.querySelector('h1')?.focus({ preventScroll: true });
  };
  const refresh = repeat(read, READ_MS, leaving);
  return place;
};

/** An unknown session is no fault that trying again would mend. */
function trouble(error: unknown, again: () => void): HTMLElement {
  const code = (error as { code?: string }).code;
  if (code !== 'session_not_found') return failureBox(error, again);
  const back = element('a', { class: 'button', href: '/dashboard' }, 'Go to sessions');
  return emptyState('sessions', 'There is no such session', 'Ended sessions are kept for 30 days.', back);
}

function livePage(context: Context, session: SessionRecord, refresh: () => void): HTMLElement {
  const { leaving } = context;
  const history = new SessionHistory(session);
  const recordings = recordingsOf(context, session);
  const onEvent = (event: Event) => {
    history.add(event);
    if (event.event === 'recording') void recordings.reload();
    if (event.event === 'session.ended') refresh();
  };
  const inspection = inspectorOf(context);
  const open = { class: 'button primary', href: session.url, target: '_blank', rel: 'noopener' };
  const end = async () => {
    if (await releaseSession(context, session)) refresh();
  };
  const keep = button('Snapshot', () => void keepSnapshot(context, session));
  const keeping = canBeKept(session) ? [keep] : [];
  const release = button('Release', () => void end());
  return page(
    sessionName(session),
    [element('a', open, 'Open'), inspection.button, ...keeping, release],
    element(
      'div',
      { class: 'session-top' },
      element(
        'div',
        { class: 'stage large' },
        livePicture(session, { profile: PROFILE, leaving, onEvent, inspect: inspection }),
      ),
      element(
        'div',
        { class: 'beside' },
        inspection.place,
        facts(session),
        section('Links', viewerLinks(context, session)),
      ),
    ),
    section('Use it from a program', ...waysIn(session)),
    section('Inputs', sessionInputs(context, session)),
    section('History', history.element),
    section('Recordings', recordings.place),
    section('Apps', appsOf(context, session)),
  );
}

function endedPage(context: Context, session: SessionRecord): HTMLElement {
  return page(
    sessionName(session),
    [],
    facts(session),
    section('Inputs', sessionInputs(context, session)),
    section('History', new SessionHistory(session).element),
    section('Recordings', recordingsOf(context, session).place),
    section('Apps', appsOf(context, session)),
  );
}

function facts(session: SessionRecord): HTMLElement {
  const { id, platform, device, createdAt, releasedAt, releaseReason, labels } = session;
  const chips = Object.entries(labels).map(([name, value]) => element('span', { class: 'chip' }, `${name}: ${value}`));
  const rows: [string, Node | string][] = [
    ['Id', copyField('Id of the session', id)],
    ['Device', `${device.model}, ${PLATFORM_NAMES[platform]} ${device.osVersion}, ${device.width} × ${device.height}`],
    ['Created', dateAndTime(createdAt)],
  ];
  if (releasedAt === undefined) rows.push(['Ends', element('span', { class: 'ends' }, endsText(session))]);
  else {
    rows.push(['State', endingText(releaseReason)]);
    const lasted = span(Date.parse(releasedAt) - Date.parse(createdAt));
    rows.push(['Ended', `${dateAndTime(releasedAt)}, after ${lasted}`]);
  }
  if (chips.length > 0) rows.push(['Labels', element('span', { class: 'labels' }, ...chips)]);
  const parts = rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
  return element('dl', { class: 'facts-list' }, ...parts);
}

const endsText = ({ expiresAt }: SessionRecord): string => fromNow(expiresAt);

/** Lines that reach the session as they stand; the key is in the environment, never on a page. */
function waysIn({ id, platform }: SessionRecord): HTMLElement[] {
  const base = `${location.origin}/service`;
  const key = '"Authorization: Bearer $RUNCLOUD_API_KEY"';
  const cloud = `new RunCloud({ apiKey, baseUrl: '${location.origin}' })`;
  return [
    ['curl', `curl -sS -H ${key} "${base}/${platform}/${id}/screenshot" -o screen.png`],
    ['Command line', `npx runcloud screenshot --session ${id} -o screen.png`],
    ['SDK', `const session = await ${cloud}.sessions.get('${id}');`],
  ].map(([name = '', line = '']) => {
    return element('div', { class: 'way' }, element('span', { class: 'quiet' }, name), copyField(name, line));
  });
}

function recordingsOf({ api, leaving }: Context, session: SessionRecord) {
  const { platform, id: sessionId } = session;
  return loaded(async () => {
    const to = routeTo('GET /service/{platform}/{sessionId}/recordings', { platform, sessionId });
    const { items } = await readList(api, to, 'recordings', { signal: leaving });
    if (items.length === 0) return element('p', { class: 'quiet' }, 'Nothing was recorded.');
    return element('ul', { class: 'rows' }, ...items.map((recording) => recordingRow({ session, recording })));
  }, skeleton(1));
}

function appsOf({ api }: Context, { installAssets }: SessionRecord): HTMLElement {
  if (installAssets.length === 0) return element('p', { class: 'quiet' }, 'No app was installed at its start.');
  return loaded(async () => {
    const rows = installAssets.map(async (assetId) => {
      const asset = await api.ask(routeTo('GET /service/assets/{assetId}', { assetId })).catch(() => undefined);
      const name = asset === undefined ? 'Deleted app' : `${asset.name} ${asset.version}`;
      const text = element('span', { class: 'main' }, name, element('span', { class: 'quiet' }, assetId));
      return element('li', { class: 'row' }, text);
    });
    return element('ul', { class: 'rows' }, ...(await Promise.all(rows)));
  }, skeleton(1)).place;
}
