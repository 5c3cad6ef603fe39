import type { SessionRecord, UiNode, UiOutline, UiTree } from '@runcloud/protocol';
import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInService } from '../support/android/stand-in-service.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';

/** Keyboards and bars have windows of their own. */
const all = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.flatMap((node) => (node.system || node.role === 'keyboard' ? [] : [node, ...all(node.children ?? [])]));

/** Of an element that a person can press: what identifies it, and where it is, in pixels. */
const buttonsOf = (nodes: readonly UiNode[], width: number, height: number) =>
  all(nodes)
    .filter(({ actions }) => actions?.includes('tap'))
    .map(({ name, frame: { x, y, width: wide, height: high } }) => ({
      name,
      edges: [x * width, y * height, (x + wide) * width, (y + high) * height],
    }));

t.test('the tree of a device is that of its own tool, in place and in each orientation', { skip }, async (t) => {
  const { session, server, emulator } = await standInService(t);
  const { rest } = server;
  const { system } = emulator;
  const { phone } = system.guest;
  const created = await session();
  const address = `/service/android/${created.id}/ui`;
  const read = async () => (await rest.call<UiTree>('GET', address)).body;
  const act = async (of: SessionRecord, body: Record<string, unknown>) =>
    t.match((await rest.interact(of, body)).body, { status: 'completed' });

  await act(created, { action: 'launchApp', app: 'com.standin.notes' });
  for (const orientation of ['portrait', 'landscape_left', 'landscape_right', 'portrait_upside_down'] as const) {
    await act(created, { action: 'rotate', orientation });
    const tree = await read();
    t.match(tree, { screen: 'on', app: 'com.standin.notes', orientation, missing: ['offScreen', 'system'] });
    const { width, height } = phone.render();
    const [told, shown] = [buttonsOf(tree.nodes, width, height), buttonsOf(phone.describe().nodes, width, height)];
    t.ok(shown.length > 0);
    t.same(
      told.map(({ name }) => name),
      shown.map(({ name }) => name),
    );
    for (const [index, { name, edges }] of shown.entries()) {
      const off = edges.map((edge, at) => Math.abs(edge - (told[index]?.edges[at] ?? Number.NaN)));
      t.ok(Math.max(...off) <= 1, `${orientation}: ${name} is at most a pixel off`);
    }
  }
  t.notOk(system.files.has('/data/local/tmp/runcloud-ui.xml'), 'nothing is left behind');

  await act(created, { action: 'rotate', orientation: 'portrait' });
  const headers = { Authorization: rest.authorization };
  const lines = await fetch(`${server.url}${address}?format=outline`, { headers });
  t.match(await lines.text(), /^frame \d+ · com\.standin\.notes · portrait · /);
  const before = await read();
  t.equal((await read()).frame, before.frame, 'a screen that stays has its number');

  await act(created, { action: 'typeText', text: 'Milk', target: { role: 'textfield' } });
  t.match(
    all((await read()).nodes).find(({ role }) => role === 'textfield'),
    { value: 'Milk' },
    'what is typed into an element is in it',
  );
  const { body: absent } = await rest.interact(created, { action: 'tapElement', target: { text: 'Mlik' }, waitMs: 0 });
  t.match(absent.error, { code: 'target_not_found', message: /^No element "Mlik" in frame/ });

  await act(created, { action: 'launchApp', app: 'com.standin.scroll' });
  const { body: scrolled } = await rest.interact(created, {
    action: 'scrollTo',
    target: { text: 'Garden 23' },
    waitMs: 10_000,
  });
  t.match(scrolled, { status: 'completed', result: { deltaX: 0, deltaY: Number } });
  t.match(
    all((await read()).nodes).find(({ name }) => name === 'Garden 23'),
    { frame: { height: Number } },
    'a list is dragged until an element is in sight',
  );

  await act(created, { action: 'pressButton', button: 'power' });
  t.match(await read(), { screen: 'off', nodes: [], nodeCount: 0 });
  await act(created, { action: 'pressButton', button: 'power' });

  const answers = {
    'does not stand still': { code: 1, out: 'ERROR: could not get idle state.\n' },
    'null root node': { out: 'ERROR: null root node returned by UiTestAutomationBridge.\n' },
    'already registered': {
      code: 137,
      out: 'java.lang.IllegalStateException: UiAutomationService x already registered!\n',
    },
  };
  for (const [sentence, answer] of Object.entries(answers)) {
    system.override = ([name]) => (name === 'uiautomator' ? answer : undefined);
    const failed = await rest.call<{ error: { code: string; message: string } }>('GET', address);
    t.match(failed.body.error, { code: 'interaction_failed' });
    t.match(failed.body.error.message, sentence);
  }
  system.override = ([name]) => (name === 'cat' ? { out: '<hierarchy' } : undefined);
  t.match((await rest.call<UiOutline>('GET', address)).body, { error: { message: /in a way that cannot be read/ } });
  system.override = ([name]) => (name === 'cat' ? { out: 'x'.repeat(3_000_000) } : undefined);
  for (let time = 0; time < 2; time++) {
    t.match((await rest.call<UiOutline>('GET', address)).body, {
      error: { message: /`cat` .* more than is believable/ },
    });
    t.notOk(system.files.has('/data/local/tmp/runcloud-ui.xml'), 'a dump that is too long is not left behind');
  }
  system.override = undefined;
  t.match(await read(), { screen: 'on' }, 'the device goes on');
  await rest.releaseSession(created.id);
});
