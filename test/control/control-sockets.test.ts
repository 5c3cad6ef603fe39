import { CLOSE, type CloseReason } from '@runcloud/protocol/terms';
import t from 'tap';
import { ControlSockets, type ControlSocketsOptions } from '../../server/control/control-sockets.ts';
import type { UpgradeGate } from '../../server/control/upgrade.ts';
import { FairScheduler } from '../../server/flow/fair-scheduler.ts';
import type { SocketSender, WantedSocket } from '../../server/socket/connection.ts';
import type { HttpHead } from '../../server/socket/http.ts';

/** Sockets behind a gate that admits every account, and a loop that turns when the test says. */
function socketsOf(reasonToClose?: CloseReason) {
  const turns: (() => void)[] = [];
  const clock = { monotonicMs: () => 0, schedule: () => ({ cancel: () => undefined }) };
  const quota = { used: 0, add: () => void quota.used++, giveBack: () => void quota.used-- };
  const gate: Partial<UpgradeGate> = {
    admit: ({ query }: HttpHead) => ({
      admitted: true,
      session: { socketQuota: quota } as never,
      credential: { party: query, role: 'control', bearer: {} } as never,
    }),
    reasonToClose: () => reasonToClose,
  };
  const scheduler = new FairScheduler({
    nowMs: () => 0,
    defer: (task) => turns.push(task),
    rest: (_, task) => turns.push(task),
    bytesMax: 65_536,
    onFault: (error) => void t.fail(String(error)),
  });
  const sockets = new ControlSockets({ gate, scheduler, clock } as unknown as ControlSocketsOptions);
  return {
    quota,
    upgrade: (account: string) => sockets.upgrade({ query: account } as HttpHead) as WantedSocket,
    turn: () => {
      for (const task of turns.splice(0)) task();
    },
  };
}

const waits = ({ turn }: WantedSocket) => turn !== undefined;

t.test('openings of one account take turns, and another account is not held up', async (t) => {
  const { upgrade, turn } = socketsOf();
  const busy = Array.from({ length: 5 }, () => upgrade('busy'));
  t.same(busy.map(waits), [false, false, true, true, true]);
  t.equal(waits(upgrade('other')), false);
  let begun = 0;
  for (const socket of busy) socket.turn?.(() => begun++);
  t.equal(begun, 0);
  turn();
  t.equal(begun, 3);
  t.equal(waits(upgrade('busy')), false, 'the next turn of the loop is another one');
});

t.test('a socket that waits has its place in the session', async (t) => {
  const { quota, upgrade, turn } = socketsOf();
  const busy = Array.from({ length: 5 }, () => upgrade('busy'));
  const used: number[] = [];
  for (const socket of busy) socket.turn?.(() => used.push(quota.used));
  t.equal(quota.used, 3);
  turn();
  t.same(used, [2, 1, 0], 'each gives it back as it takes the one of an open socket');
});

t.test('a socket whose key was revoked while it waited, or whose session ended, is closed', async (t) => {
  for (const reason of [CLOSE.revoked, CLOSE.ended]) {
    const { upgrade } = socketsOf(reason);
    const last = Array.from({ length: 3 }, () => upgrade('busy')).at(-1);
    const closed: CloseReason[] = [];
    const handler = last?.open({ close: (why) => void closed.push(why) } as SocketSender);
    t.same(closed, [reason]);
    t.doesNotThrow(() => handler?.receive(new Uint8Array(1)));
  }
});
