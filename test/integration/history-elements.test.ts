import t from 'tap';
import type { HistoryEntry, SessionHandle } from '../../client/sdk/index.ts';
import { RunCloud } from '../../client/sdk/index.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

async function entriesOf(session: SessionHandle): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const entry of session.history()) entries.push(entry);
  return entries;
}

/** The place of an element, as a person sees it. */
async function placeOf(session: SessionHandle, text: string) {
  const { element } = await session.check({ target: { text } });
  const { x, y, width, height } = element?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

for (const platform of ['ios', 'android'] as const) {
  t.test(`the history tells what was under each touch, of sessions that ask for it (${platform})`, async (t) => {
    for (const historyElements of [true, undefined]) {
      const session = await cloud.sessions.create({ platform, ...(historyElements ? { historyElements } : {}) });
      const settings = await placeOf(session, 'Settings');
      await session.tap(settings.x, settings.y);
      await session.waitFor({ idle: true });
      await session.connect();
      const toggle = await placeOf(session, 'Dark mode');
      const finger = await session.pointer(toggle);
      await finger.end();
      await session.tapElement({ text: 'Dark mode' });
      await session.scroll(0, 0.3);
      await session.waitFor({ idle: true });
      await session.swipe({ x: 0.5, y: 0.6 }, { x: 0.5, y: 0.5 });
      await session.pressButton('home');
      const entries = await entriesOf(session);
      t.same(
        entries.map(({ action }) => action),
        ['tap', 'pointer', 'tapElement', 'scroll', 'swipe', 'pressButton'],
      );
      if (historyElements) {
        t.match(entries, [
          { touched: { app: 'Home', element: { role: 'button', name: 'Settings' } } },
          { touched: { app: 'Settings', heading: 'Settings', element: { role: 'switch', name: 'Dark mode' } } },
          { touched: { app: 'Settings', heading: 'Settings', element: { role: 'switch', name: 'Dark mode' } } },
          { touched: { app: 'Settings' } },
          { touched: { app: 'Settings' } },
          { touched: { app: 'Settings' } },
        ]);
        t.notOk(entries.at(-1)?.touched?.element);
      } else t.ok(entries.every(({ touched }) => touched === undefined));
      await session.delete();
      t.same(await entriesOf(session), entries, 'and after its end');
    }
  });
}
