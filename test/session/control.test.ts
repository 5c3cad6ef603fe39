import { type ControlState, LIMITS } from '@runcloud/protocol';
import t from 'tap';
import { Participant } from '../../server/interaction/participant.ts';
import { openSessions } from '../support/session-arena.ts';

t.test('changes of control that come too often are told together, as they then stand', async (t) => {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  const told: ControlState[] = [];
  session.connect({
    id: 'con_1',
    role: 'view',
    bearer: { name: 'lnk_1', kind: 'viewer link' },
    tell: (event) => void (event.event === 'control' && told.push(event.control)),
    end: () => undefined,
  });
  const who = new Participant({ id: 'prt_1', isOwner: true, isSocket: false }, () => 'ci');
  for (let count = 0; count < 500; count++) {
    session.control.take(who);
    session.control.release(who);
  }
  session.control.take(who);
  const atOnce = told.length;
  t.ok(atOnce > 0 && atOnce <= 2 * LIMITS.controlCallsPerSecond, `${atOnce} of 1,001 changes`);
  await arena.clock.advance(100);
  t.equal(told.length, atOnce + 1);
  t.match(told.at(-1), { holder: { id: 'prt_1', label: 'ci' }, waiting: [] });
});
