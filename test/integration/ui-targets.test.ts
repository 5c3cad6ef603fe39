import type { Acknowledgement, Platform, UiNode, UiTree } from '@runcloud/protocol';
import t from 'tap';
import { RunCloud, RunCloudError } from '../../client/sdk/index.ts';
import { ControlClient } from '../support/control-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/** Inputs that name an element of the screen, on the virtual phones of both platforms; no test knows where anything is. */

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

async function open(platform: Platform) {
  const record = await rest.createSession(platform);
  const perform = async (request: Readonly<Record<string, unknown>>): Promise<Acknowledgement> =>
    (await rest.interact(record, request)).body as Acknowledgement;
  const look = async (): Promise<UiTree> =>
    (await rest.call<UiTree>('GET', `/service/${platform}/${record.id}/ui`)).body;
  return {
    record,
    perform,
    tap: (target: object, more = {}) => perform({ action: 'tapElement', target, ...more }),
    look,
  };
}

const all = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.flatMap((node) => [node, ...all(node.children ?? [])]);
const find = ({ nodes }: UiTree, fits: (node: UiNode) => boolean): UiNode | undefined => all(nodes).find(fits);

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: built-in apps are used by names alone`, async (t) => {
    const { perform, tap, look } = await open(platform);
    t.match(await tap({ text: 'notes' }), { ok: true, result: { pointCount: 1 } });
    const typed = await perform({ action: 'typeText', text: 'Milk', target: { role: 'textfield' } });
    t.match(typed, { ok: true, result: { characterCount: 4, frame: Number } });
    await perform({ action: 'insertText', text: ' 😀', target: { text: 'Note', role: 'textfield' } });
    t.match(
      find(await look(), ({ role }) => role === 'textfield'),
      { value: 'Milk 😀' },
    );
    await perform({ action: 'pressButton', button: 'home' });
    await tap({ text: 'Settings' });
    const { result } = await tap({ text: 'Dark mode', role: 'switch' });
    const dark = find(await look(), ({ name }) => name === 'Dark mode') as UiNode;
    t.equal(dark.checked, true);
    const { x, y } = result as { x: number; y: number };
    t.ok(x > dark.frame.x && x < dark.frame.x + dark.frame.width, 'the point that was used is in it');
    t.ok(y > dark.frame.y && y < dark.frame.y + dark.frame.height);
    await perform({ action: 'pressButton', button: 'home' });
    await tap({ text: 'Browser' });
    await perform({ action: 'typeText', text: 'example.com\n', target: { text: 'Address' } });
    t.match(
      find(await look(), ({ name }) => name === 'Address'),
      { value: /example\.com/ },
    );
  });

  t.test(`${platform}: a list is scrolled until an element is in sight, and back`, async (t) => {
    const { record, perform, tap, look } = await open(platform);
    await tap({ text: 'Scroll' });
    const phone = await cloud.sessions.get(record.id);
    const { deltaX, deltaY, ...found } = (await phone.get({ text: 'Garden 47' }).scrollTo()).result;
    t.ok(deltaX === 0 && deltaY > 1, 'some displays further down');
    const cell = find(await look(), ({ name }) => name === 'Garden 47') as UiNode;
    t.match(cell, { role: 'cell', frame: { height: Number } });
    t.ok(Math.abs(cell.frame.y + cell.frame.height / 2 - found.y) < 0.001, 'it is where the answer says');
    const { frame } = find(await look(), ({ role }) => role === 'list') as UiNode;
    t.ok(cell.frame.y + cell.frame.height <= frame.y + frame.height, 'and no edge cuts it off');
    const back = { action: 'scrollTo', target: { text: 'Harbour 1', exact: true }, direction: 'up' };
    t.match(await perform(back), { ok: true, result: { deltaY: Number } });
    t.ok(find(await look(), ({ name }) => name === 'Harbour 1'));
    const still = await perform({ action: 'scrollTo', target: { text: 'Harbour 1', exact: true } });
    t.match(still.result, { deltaX: 0, deltaY: 0 }, 'what is in sight costs no step');
    const { error } = await perform({ action: 'scrollTo', target: { text: 'Imprint' }, direction: 'up' });
    t.match(error, {
      code: 'target_not_found',
      message: /No element "Imprint" in the list "Scroll".* At its top: cell "Harbour 1", cell "Orchard 2",/,
    });
    await rest.releaseSession(record.id);
  });

  t.test(`${platform}: a ref is taken in its frame, and refused after an input`, async (t) => {
    const { tap, look } = await open(platform);
    const home = await look();
    const notes = find(home, ({ name }) => name === 'Notes');
    t.match(await tap({ ref: notes?.ref, frame: home.frame }), { ok: true, result: { frame: home.frame } });
    t.equal((await look()).app, 'Notes');
    t.match(await tap({ ref: '@1', frame: home.frame }), {
      status: 'failed',
      error: { code: 'ref_of_other_frame', retryable: false, action: /Read what is on the screen again/ },
    });
    const { frame } = await look();
    t.match(await tap({ ref: '@999', frame }), { error: { code: 'ref_not_issued', action: /use a ref/ } });
    t.match(await tap({ ref: '@1', frame }), { ok: true });
    t.match(await tap({ ref: '@1', frame }), { error: { code: 'ref_expired' } });
  });
}

t.test(
  'a selector of several names them, one of none what is similar; the frame of the message stays in force',
  async (t) => {
    const { tap, look } = await open('ios');
    await tap({ text: 'Settings' });
    const { frame } = await look();
    const several = await tap({ text: 'images', role: 'switch' }, { waitMs: 0 });
    t.match(several.error, {
      code: 'target_ambiguous',
      message: new RegExp(
        `^2 elements fit switch "images" in frame ${frame}: switch "Copied images" (@\\d+), switch "Misaligned`,
      ),
    });
    t.match(await tap({ text: 'Darkmode' }, { waitMs: 0 }), {
      error: { code: 'target_not_found', message: /Similar: switch "Dark mode" @\d+\.$/ },
    });
    t.match(await tap({ text: 'Face ID' }, { waitMs: 0 }), { error: { message: /It is out of sight\.$/ } });
    const ref = /"Copied images" (@\d+)/.exec(several.error?.message ?? '')?.[1];
    t.match(await tap({ ref, frame }), { ok: true });
    t.equal(find(await look(), ({ name }) => name === 'Copied images')?.checked, true);
  },
);

t.test('what is disabled is not pressed, and a cancel ends a wait', async (t) => {
  const { perform, tap, record } = await open('android');
  await perform({ action: 'launchApp', app: 'browser' });
  t.match(await tap({ text: 'Back', role: 'button' }, { waitMs: 0 }), {
    error: { code: 'target_disabled', retryable: true },
  });
  const socket = await ControlClient.connect(server.url, record, rest.authorization);
  socket.send({
    type: 'interaction',
    requestId: 'late',
    action: 'tapElement',
    target: { text: 'nobody has this' },
    waitMs: 10_000,
  });
  await socket.next('dispatched');
  socket.send({ type: 'cancel', requestId: 'late' });
  t.match(await socket.result('late'), { status: 'cancelled', error: { code: 'interaction_cancelled' } });
  await socket.close();
});

t.test('a timeout and the end of the session end the wait', async (t) => {
  const { record, tap } = await open('ios');
  const socket = await ControlClient.connect(server.url, record, rest.authorization);
  // The wait is as long as the timeout and begins later, with its turn.
  const [from, to] = [
    { x: 0.5, y: 0.5 },
    { x: 0.6, y: 0.5 },
  ];
  socket.send({ type: 'interaction', requestId: 'before', action: 'swipe', from, to, durationMs: 500 });
  const target = { text: 'nobody has this' };
  socket.send({ type: 'interaction', requestId: 'late', action: 'tapElement', target, timeoutMs: 1_000 });
  t.match(await socket.result('late'), { status: 'timed_out', error: { code: 'interaction_timeout' } });
  t.match(await socket.result('before'), { status: 'completed' });
  const waiting = tap(target, { waitMs: 30_000, timeoutMs: 60_000 });
  await rest.call('DELETE', `/service/sessions/${record.id}`);
  t.match(await waiting, { status: 'failed', error: { code: 'active_session_not_found' } });
  await socket.close();
});

t.test(
  'the same requestId presses once, the history has the target, and one who only views cannot press',
  async (t) => {
    const { record, tap, look } = await open('ios');
    const first = await tap({ text: 'Notes', role: 'button' }, { requestId: 'once' });
    t.same(await tap({ role: 'button', text: 'Notes' }, { requestId: 'once' }), first);
    t.match(await tap({ text: 'Browser' }, { requestId: 'once' }), { error: { code: 'duplicate_request' } });
    t.equal((await look()).app, 'Notes');
    const { body } = await rest.call<{ entries: { action: string }[] }>('GET', `/service/ios/${record.id}/history`);
    t.match(body.entries, [
      { action: 'tapElement', status: 'completed', fields: { target: { text: 'Notes', role: 'button' } } },
    ]);
    t.equal(body.entries.length, 1);
    const link = await rest.call<{ url: string }>('POST', `/service/sessions/${record.id}/viewer-links`, {
      role: 'view',
    });
    const viewer = await ControlClient.connectWithToken(server.url, { ...record, url: link.body.url }, server.url);
    viewer.send({ type: 'interaction', requestId: 'watch', action: 'tapElement', target: { text: 'Notes' } });
    t.match(await viewer.result('watch'), { ok: false, error: { code: 'control_role_required' } });
    await viewer.close();
  },
);

t.test('over the control socket and by the SDK', async (t) => {
  const { record } = await open('android');
  const session = cloud.session({ id: record.id, platform: 'android' });
  t.match((await session.tapElement({ text: 'Settings' })).result, { pointCount: 1, frame: Number });
  await session.connect();
  t.match((await session.tapElement({ text: 'Dark mode' })).result, { pointCount: 1 });
  await t.rejects(session.tapElement({ text: 'Darkmode' }, { waitMs: 0 }), { code: 'target_not_found' });
  await t.rejects(session.tapElement({}), RangeError);
  await t.rejects(session.typeText('a', { target: { text: 'Dark mode' }, waitMs: 0 }), RunCloudError);
  session.disconnect();
});
