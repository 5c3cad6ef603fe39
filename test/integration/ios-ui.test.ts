import type { UiNode, UiTree } from '@runcloud/protocol';
import t from 'tap';
import { standInService } from '../support/ios/stand-in-service.ts';

/** What can be tapped, and where; keyboards and bars are not among it. */
const buttonsOf = (nodes: readonly UiNode[]): readonly string[] =>
  nodes.flatMap(({ name, actions, system, role, frame, children = [] }) => {
    if (system || role === 'keyboard') return [];
    const place = [frame.x, frame.y, frame.width, frame.height].map((edge) => edge.toFixed(3));
    const own = actions?.includes('tap') ? [`${name} ${place.join(' ')}`] : [];
    return [...own, ...buttonsOf(children)];
  });

for (const helper of ['idb_companion', 'serve-sim'] as const) {
  t.test(`the screen is told as ${helper} tells it, in place and in each orientation`, async (t) => {
    const { server, session, guestOf } = await standInService(t, { helpers: [helper] });
    const { rest } = server;
    const first = await session();

    const { phone } = guestOf(first);
    const address = `/service/ios/${first.id}/ui`;
    const notes = { action: 'tapElement', target: { text: 'Notes' } };
    t.equal((await rest.interact(first, notes)).body.status, 'completed');
    t.equal(phone.inspect().foreground, 'notes');
    for (const orientation of ['landscape_left', 'portrait'] as const) {
      t.equal((await rest.interact(first, { action: 'rotate', orientation })).body.status, 'completed');
      const { body } = await rest.call<UiTree>('GET', address);
      t.match(body, { screen: 'on', orientation, missing: ['focused', 'offScreen', 'selected', 'system'] });
      const shown = buttonsOf(phone.describe().nodes);
      t.ok(shown.length > 0);
      t.same(buttonsOf(body.nodes), shown, orientation);
    }
    await rest.interact(first, { action: 'pressButton', button: 'home' });
    t.match((await rest.interact(first, { action: 'tapElement', target: { text: 'Scroll' } })).body, { ok: true });
    const { body: scrolled } = await rest.interact(first, { action: 'scrollTo', target: { text: 'Garden 23' } });
    t.match(scrolled, { ok: true, result: { deltaX: 0, deltaY: Number } });
    const { body: tree } = await rest.call<UiTree>('GET', address);
    t.match(JSON.stringify(tree.nodes), '"Garden 23"', 'a list is dragged until an element is in sight');
    await rest.interact(first, { action: 'pressButton', button: 'home' });
  });
}
