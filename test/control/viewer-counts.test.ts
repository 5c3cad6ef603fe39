import type { Event } from '@runcloud/protocol';
import t from 'tap';
import { ViewerCounts } from '../../server/control/viewer-counts.ts';
import type { LiveSession } from '../../server/session/live-session.ts';
import { FakeClock } from '../support/fake-clock.ts';

function fakeSession(viewers: { control: number; view: number }) {
  const told: Event[] = [];
  return { viewers, told, tell: (event: Event) => told.push(event) };
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

t.test('sessions are told apart', async (t) => {
  const clock = new FakeClock();
  const counts = new ViewerCounts(clock);
  const [one, other] = [fakeSession({ control: 1, view: 0 }), fakeSession({ control: 0, view: 5 })];
  for (const session of [one, other]) counts.changed(session as unknown as LiveSession);
  await clock.advance(100);
  t.match(one.told, [{ viewers: { control: 1 } }]);
  t.match(other.told, [{ viewers: { view: 5 } }]);
});
