import type { Event } from '@runcloud/protocol';
import t from 'tap';
import { ViewerCounts } from '../../server/control/viewer-counts.ts';
import type { LiveSession } from '../../server/session/live-session.ts';
import { FakeClock } from '../support/fake-clock.ts';

function fakeSession(viewers: { control: number; view: number }) {
  const told: Event[] = [];
  const tellInTurns = async (event: Event) => void told.push(event);
  return { viewers, told, tellInTurns };
}

t.test('changes that come together are told once, with the numbers of the end', async (t) => {
  const clock = new FakeClock();
  const counts = new ViewerCounts(clock);
  const session = fakeSession({ control: 1, view: 0 });
  for (const view of [1, 2, 3]) {
    session.viewers = { control: 1, view };
    counts.changed(session as unknown as LiveSession);
    await clock.advance(30);
  }
  t.same(session.told, []);
  await clock.advance(10);
  t.same(session.told, [{ type: 'event', event: 'viewers', viewers: { control: 1, view: 3 } }]);
  counts.changed(session as unknown as LiveSession);
  await clock.advance(100);
  t.equal(session.told.length, 2);
  t.equal(clock.waiting, 0);
});

t.test('many are told less often: a thousand once a second', async (t) => {
  const clock = new FakeClock();
  const counts = new ViewerCounts(clock);
  const session = fakeSession({ control: 0, view: 1_000 });
  for (let change = 0; change < 300; change++) {
    counts.changed(session as unknown as LiveSession);
    await clock.advance(10);
  }
  t.ok(session.told.length >= 2 && session.told.length <= 3, `${session.told.length} events in three seconds`);
});

t.test('sessions are told apart', async (t) => {
  const clock = new FakeClock();
  const counts = new ViewerCounts(clock);
  const [one, other] = [fakeSession({ control: 1, view: 0 }), fakeSession({ control: 0, view: 5 })];
  for (const session of [one, other]) counts.changed(session as unknown as LiveSession);
  await clock.advance(100);
  t.match(one.told, [{ viewers: { control: 1 } }]);
  t.match(other.told, [{ viewers: { view: 5 } }]);
});

t.test('while all are told a number, the next one waits', async (t) => {
  const clock = new FakeClock();
  const counts = new ViewerCounts(clock);
  let end = () => {};
  const told: Event[] = [];
  const session = {
    viewers: { control: 0, view: 1 },
    tellInTurns: (event: Event) => {
      told.push(event);
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  };
  counts.changed(session as unknown as LiveSession);
  await clock.advance(100);
  session.viewers = { control: 0, view: 2 };
  counts.changed(session as unknown as LiveSession);
  await clock.advance(500);
  t.match(told, [{ viewers: { view: 1 } }]);
  t.equal(told.length, 1);
  end();
  await clock.advance(100);
  t.match(told, [{ viewers: { view: 1 } }, { viewers: { view: 2 } }]);
});
