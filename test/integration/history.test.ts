import type { HistoryEntry, HistoryPage, InteractionState, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { compileCheck, HistoryEntry as EntrySchema } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest, url } = server;

const pathOf = ({ platform, id }: SessionRecord) => `/service/${platform}/${id}`;
const check = compileCheck(EntrySchema);

async function historyOf(session: SessionRecord, query = ''): Promise<readonly HistoryEntry[]> {
  const { status, body } = await rest.call<HistoryPage>('GET', `${pathOf(session)}/history${query}`);
  if (status !== 200) throw new Error(`no history: ${status} ${JSON.stringify(body)}`);
  return body.entries;
}

async function linesOf(session: SessionRecord, query = ''): Promise<readonly HistoryEntry[]> {
  const response = await rest.fetch(`${pathOf(session)}/history${query}`, {
    headers: { Accept: 'application/x-ndjson' },
  });
  t.equal(response.headers.get('content-type'), 'application/x-ndjson');
  const lines = (await response.text()).split('\n');
  t.equal(lines.pop(), '', 'each line ends');
  return lines.map((line) => JSON.parse(line) as HistoryEntry);
}

t.test('a session keeps what was done to it, by whom, when and how it ended, as its callers were told', async (t) => {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(url, session, rest.authorization);
  const tapped = await client.interact({ action: 'tap', x: 0.5, y: 0.25, requestId: 'tap-1', acks: 'all' });
  const { body: swiped } = await rest.interact(session, {
    action: 'swipe',
    from: { x: 0.5, y: 0.75 },
    to: { x: 0.5, y: 0.25 },
    requestId: 'swipe-1',
    durationMs: 60,
  });
  await client.close();
  const entries = await historyOf(session);
  for (const entry of entries) t.equal(check(entry), undefined);
  t.match(entries[0], {
    seq: 1,
    requestId: 'tap-1',
    action: 'tap',
    fields: { x: 0.5, y: 0.25 },
    by: { kind: 'key', transport: 'socket' },
    status: 'completed',
    acceptedAt: tapped.acceptedAt,
    completedAt: tapped.completedAt,
    durationMs: tapped.durationMs,
    inputSeq: 1,
  });
  t.match(entries[1], {
    seq: 2,
    action: 'swipe',
    fields: { from: { x: 0.5, y: 0.75 }, to: { x: 0.5, y: 0.25 }, durationMs: 60 },
    by: { kind: 'key', transport: 'rest' },
    status: swiped.status,
    completedAt: swiped.completedAt,
  });
  await rest.releaseSession(session.id);
});

t.test('a cancelled one has its error, and a live gesture its steps', async (t) => {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(url, session, rest.authorization);
  const long = { action: 'swipe', from: { x: 0.5, y: 0.2 }, to: { x: 0.5, y: 0.8 }, durationMs: 9_000 };
  client.send({ type: 'interaction', ...long, requestId: 'long', acks: 'all' });
  await client.next('dispatched', ({ requestId }) => requestId === 'long');
  const [pending] = await historyOf(session);
  t.match(pending, { requestId: 'long', status: 'pending' });
  t.equal(pending?.completedAt, undefined);
  client.send({ type: 'cancel', requestId: 'long' });
  const told = await client.result('long');
  for (const [phase, x] of [
    ['begin', 0.25],
    ['move', 0.5],
    ['end', 0.75],
  ] as const) {
    client.send({ type: 'pointer', requestId: 'live', phase, points: [{ x, y: 0.5 }], acks: 'all' });
    if (phase === 'begin') await client.next('dispatched', ({ requestId }) => requestId === 'live');
  }
  await client.result('live');
  const [cancelled, live] = await historyOf(session);
  t.match(cancelled, { status: 'cancelled', error: told.error, durationMs: told.durationMs });
  t.match(live, { action: 'pointer', status: 'completed' });
  const { steps } = (live as HistoryEntry).fields as { steps: { phase: string; points: object[]; atMs: number }[] };
  t.same(steps[0]?.points, [{ x: 0.25, y: 0.5 }]);
  t.same(steps.at(-1), { phase: 'end', points: [{ x: 0.75, y: 0.5 }], atMs: steps.at(-1)?.atMs });
  t.ok(steps.every(({ atMs }, index) => atMs >= (steps[index - 1]?.atMs ?? 0)));
  await client.close();
  await rest.releaseSession(session.id);
});

t.test('it is read in pages and as lines, also from the middle, and after the end of the session', async (t) => {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(url, session, rest.authorization);
  const count = 1_234;
  for (let index = 1; index <= count; index++) {
    const tap = { action: 'tap', x: index / 10_000, y: 0.5, requestId: `t${index}`, acks: 'final' };
    client.send({ type: 'interaction', ...tap });
    if (index % 500 === 0) await client.result(`t${index}`);
  }
  await client.result(`t${count}`);
  await client.close();
  for (const state of ['living', 'ended']) {
    const lines = await linesOf(session);
    t.same(
      lines.map(({ seq, requestId, fields, status }) => [seq, requestId, fields.x, status]),
      Array.from({ length: count }, (_, at) => [at + 1, `t${at + 1}`, (at + 1) / 10_000, 'completed']),
      state,
    );
    t.same(await linesOf(session, '?after=1000&limit=3'), lines.slice(1_000, 1_003));
    const paged: HistoryEntry[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { body }: { body: HistoryPage } = await rest.call(
        'GET',
        `${pathOf(session)}/history?limit=200&after=${after}`,
      );
      paged.push(...body.entries);
      after = body.next;
    }
    t.same(paged, lines);
    t.same(await historyOf(session, `?after=${count}`), []);
    t.same(await historyOf(session, '?newest=4'), lines.slice(-4));
    t.same(await linesOf(session, '?newest=700&after=1200'), lines.slice(1_200), 'the newest behind this one');
    t.same(await linesOf(session, '?newest=700'), lines.slice(-700), 'in more than one piece');
    t.same((await historyOf(session, '?newest=9999'))[0], lines[0]);
    if (state === 'living') await rest.releaseSession(session.id);
  }
  const { body, status } = await rest.call<InteractionState>('GET', `${pathOf(session)}/interactions/t77`);
  t.match([status, body], [200, { requestId: 't77', action: 'tap', status: 'completed', inputSeq: 77 }]);
  const none = await rest.call('GET', `${pathOf(session)}/interactions/none`);
  t.match([none.status, none.body.error?.code], [404, 'not_found']);
  for (const query of ['?limit=0', '?limit=201', '?after=-1', '?newest=0', '?after=1e3', '?cursor=x']) {
    const refused = await rest.call('GET', `${pathOf(session)}/history${query}`);
    t.match([refused.status, refused.body.error?.code], [400, 'invalid_request'], query);
  }
});

t.test('the control socket tells the same as REST, in shorter pages, to those who may control', async (t) => {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(url, session, rest.authorization);
  for (let index = 1; index <= 200; index++) {
    client.send({ type: 'interaction', requestId: `t${index}`, action: 'tap', x: 0.5, y: 0.5, acks: 'final' });
  }
  await client.result('t200');
  const list = async (requestId: string, query: object = {}) => {
    client.send({ type: 'history.list', requestId, ...query });
    const answer = await client.result(requestId);
    return { ...answer, result: answer.result as unknown as HistoryPage };
  };
  const entries: HistoryEntry[] = [];
  let pages = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { result }: { result: HistoryPage } = await list(`page${++pages}`, { after, limit: 200 });
    entries.push(...result.entries);
    after = result.next;
  }
  t.ok(pages > 1, `${pages} pages`);
  t.same(entries, await linesOf(session));
  t.same((await list('newest', { newest: 3 })).result, { entries: entries.slice(-3) });
  t.match(await list('odd', { limit: 0 }), { ok: false, error: { code: 'invalid_request' } });
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body: link } = await rest.call<{ url: string }>('POST', links, { role: 'view' });
  const viewer = await ControlClient.connectWithToken(url, { ...session, url: link.url }, url);
  viewer.send({ type: 'history.list', requestId: 'seen' });
  t.match(await viewer.result('seen'), { ok: false, error: { code: 'control_role_required' } });
  await Promise.all([client.close(), viewer.close()]);
});

t.test('one outcome is told while it waits, and as the caller was told it after that', async (t) => {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(url, session, rest.authorization);
  const stateOf = async () => (await rest.call<InteractionState>('GET', `${pathOf(session)}/interactions/s`)).body;
  const swipe = { action: 'swipe', from: { x: 0.5, y: 0.2 }, to: { x: 0.5, y: 0.8 }, durationMs: 9_000 };
  client.send({ type: 'interaction', ...swipe, requestId: 's', acks: 'all' });
  await client.next('dispatched');
  t.match(await stateOf(), { requestId: 's', action: 'swipe', status: 'pending', inputSeq: 1 });
  client.send({ type: 'cancel', requestId: 's' });
  const { status, acceptedAt, completedAt, durationMs, error, result } = await client.result('s');
  const told = { requestId: 's', action: 'swipe', status, acceptedAt, completedAt, durationMs, error };
  t.same(await stateOf(), { ...told, ...(result && { result }) });
  await rest.releaseSession(session.id);
  t.match(await stateOf(), told, 'also after the end of the session');
});

t.test('a text is told by its length alone, unless the session was created to keep it', async (t) => {
  const session = await rest.createSession('ios');
  await rest.interact(session, { action: 'typeText', text: 'correct horse' });
  await rest.interact(session, { action: 'insertText', text: 'battery \u{1F50B}' });
  await rest.call('PUT', `${pathOf(session)}/clipboard`, { text: 'staple' });
  await rest.interact(session, { action: 'pressKey', key: 'a', modifiers: ['shift'] });
  await rest.interact(session, { action: 'pressKey', key: 'a', modifiers: ['meta'] });
  await rest.interact(session, { action: 'pressKey', key: 'enter' });
  const entries = await historyOf(session);
  t.same(
    entries.map(({ action, fields }) => [action, fields]),
    [
      ['typeText', { textCharacters: 13 }],
      ['insertText', { textCharacters: 9 }],
      ['clipboard.set', { textCharacters: 6 }],
      ['pressKey', { textCharacters: 1, modifiers: ['shift'], durationMs: 50 }],
      ['pressKey', { key: 'a', modifiers: ['meta'], durationMs: 50 }],
      ['pressKey', { key: 'enter', modifiers: [], durationMs: 50 }],
    ],
  );
  await rest.releaseSession(session.id);
});

t.test('a session that keeps texts has them as they were', async (t) => {
  const session = await rest.createSession('ios', { historyTexts: 'full' });
  await rest.interact(session, { action: 'insertText', text: 'battery \u{1F50B}' });
  await rest.interact(session, { action: 'pressKey', key: 'a' });
  const [inserted, pressed] = await historyOf(session);
  t.same(inserted?.fields, { text: 'battery \u{1F50B}' });
  t.match(pressed?.fields, { key: 'a' });
  await rest.releaseSession(session.id);
});

t.test('nobody but its owner reads it', async (t) => {
  const session = await rest.createSession('ios');
  const other = server.addAccount('other-history');
  for (const path of ['history', 'interactions/a', 'recordings/rec_a/history.vtt']) {
    t.equal((await other.rest.call('GET', `${pathOf(session)}/${path}`)).status, 404, path);
  }
  await rest.releaseSession(session.id);
});

t.test('a recording has its inputs as a track of the same times', async (t) => {
  const session = await rest.createSession('ios');
  await rest.interact(session, { action: 'tap', x: 0.1, y: 0.1, requestId: 'before' });
  const { body: begun } = await rest.call<RecordingRecord>('POST', `${pathOf(session)}/recordings`);
  await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5, requestId: 'during' });
  await rest.call('POST', `${pathOf(session)}/open-url`, { url: 'https://a.example/?q=-->' });
  const { body: done } = await rest.call<RecordingRecord>('POST', `${pathOf(session)}/recordings/${begun.id}/stop`);
  await rest.interact(session, { action: 'tap', x: 0.9, y: 0.9, requestId: 'after' });
  const response = await rest.fetch(`${pathOf(session)}/recordings/${begun.id}/history.vtt`);
  t.match(response.headers.get('content-type'), /^text\/vtt/);
  const [head, ...cues] = (await response.text()).split('\n\n').filter((block) => block !== '');
  t.equal(head, 'WEBVTT');
  t.equal(cues.length, 2);
  const [id, times = '', payload = ''] = cues[0]?.split('\n') ?? [];
  t.equal(id, '2');
  t.match(times, /^\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}$/);
  const [, during] = await historyOf(session);
  const startMs = Date.parse(during?.dispatchedAt ?? '') - Date.parse(done.startedAt ?? '');
  t.equal(times.slice(6, 12), (startMs / 1_000).toFixed(3).padStart(6, '0'));
  t.match(JSON.parse(payload), { requestId: 'during', action: 'tap', fields: { x: 0.5, y: 0.5 }, status: 'completed' });
  const url = cues[1]?.split('\n')[2] ?? '';
  t.notMatch(url, '-->', 'an arrow would end the cue');
  t.match(JSON.parse(url), { action: 'open-url', fields: { url: 'https://a.example/?q=-->' } });
  await rest.releaseSession(session.id);
});
