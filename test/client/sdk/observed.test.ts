import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { FlakyProxy } from '../../support/flaky-proxy.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

for (const platform of ['ios', 'android'] as const) {
  for (const transport of ['rest', 'socket'] as const) {
    t.test(`${platform}, ${transport}: a call with observe answers what it changed`, async (t) => {
      const phone = await cloud.sessions.create({ platform });
      t.teardown(() => phone.delete());
      if (transport === 'socket') await phone.connect();
      const { observed } = await phone.tapElement({ text: 'Settings' }, { observe: true });
      t.match(observed, { changed: true, area: Object, firstPictureMs: Number, tree: /· Settings ·/ });
      const dead = await phone.tap(0.99, 0.5, { observe: true, requestId: 'dead' });
      t.strictSame(dead.observed, { changed: false });
      t.strictSame((await phone.tap(0.99, 0.5, { observe: true, requestId: 'dead' })).observed, { changed: false });
      t.notOk((await phone.tap(0.99, 0.5)).observed, 'only who asks is told');
      const found = await phone.get({ text: 'Dark mode', role: 'switch' }).tap({ observe: true });
      t.match(found.observed, { changed: true, tree: /\+ switch "Dark mode" on/ });
      await t.rejects(phone.tapElement({ text: 'nobody has this' }, { waitMs: 0, observe: true }), {
        code: 'target_not_found',
      });
      await t.rejects(phone.interact({ action: 'listApps', observe: true } as { action: 'listApps' }), TypeError);
      const stages: object[] = [];
      for await (const stage of phone.stages({ action: 'rotate', orientation: 'landscape_left', observe: true })) {
        stages.push(stage);
      }
      t.match(stages.at(-1), { type: 'result', observed: { changed: true } });
      t.match(await phone.outcome('dead'), { status: 'completed', observed: { changed: false } });
    });
  }
}

t.test('an observation that outlives its socket is told by the next one', async (t) => {
  const proxy = await FlakyProxy.start(t, server.url);
  const direct = await cloud.sessions.create({ platform: 'ios' });
  t.teardown(() => direct.delete());
  const phone = await new RunCloud({ apiKey: TEST_KEY, baseUrl: proxy.url }).sessions.get(direct.id);
  await phone.connect();
  const dead = phone.tap(0.99, 0.5, { observe: true, requestId: 'cut' });
  while ((await direct.outcome('cut').catch(() => undefined))?.status !== 'completed') {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  proxy.cut();
  t.strictSame((await dead).observed, { changed: false });
  phone.disconnect();
});
