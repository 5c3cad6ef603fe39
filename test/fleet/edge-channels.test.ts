import t, { type Test } from 'tap';
import type { Bus, BusMessage } from '../../server/fleet/bus.ts';
import { EdgeChannels } from '../../server/fleet/edge-channels.ts';
import type { GrantSigner } from '../../server/fleet/grants.ts';
import type { Presence } from '../../server/fleet/messages.ts';
import { PRESENCES, presenceOf } from '../../server/fleet/subjects.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** An edge's channels, and a host whose beats come as the test says. */
function open(t: Test) {
  const met: string[] = [];
  let tell: (message: BusMessage) => void = () => undefined;
  const bus: Bus = {
    connected: true,
    payloadBytesMax: 1_000_000,
    publish: () => undefined,
    subscribe: (subject, receive) => {
      if (subject === PRESENCES) tell = receive;
      return () => undefined;
    },
    onConnected: () => undefined,
    close: async () => undefined,
  };
  const clock = new FakeClock();
  const channels = new EdgeChannels({
    bus,
    signer: { sign: () => 'signed' } as unknown as GrantSigner,
    clock,
    isRemoved: () => false,
    publicUrl: () => 'http://fleet',
    onHost: ({ epoch }, what) => void met.push(`${what} ${epoch}`),
    onMark: () => undefined,
    onPresence: () => undefined,
    onWant: () => undefined,
    onFault: (error) => t.fail(String(error)),
  });
  t.teardown(() => channels.close());
  const beat = (more: Partial<Presence>) => {
    const presence = { host: 'mac-1', place: 'AAAAAA', epoch: 1, connection: 1, devices: [], sessions: 0, ...more };
    tell({ subject: presenceOf('mac-1'), payload: Buffer.from(JSON.stringify(presence)), answerTo: '' });
  };
  return { met, beat, clock };
}

t.test('a host that is started anew is met anew, however soon it is back', async (t) => {
  const { met, beat } = open(t);
  beat({});
  beat({});
  t.strictSame(met, ['here 1']);
  beat({ epoch: 2 });
  t.strictSame(met, ['here 1', 'here 2'], 'another start of it');
  beat({ epoch: 1 });
  beat({ epoch: 2 });
  t.strictSame(met, ['here 1', 'here 2'], 'an earlier start is not heard');
  beat({ epoch: 2, connection: 2 });
  t.strictSame(met, ['here 1', 'here 2', 'here 2'], 'it has lost its connection in between');
  beat({ epoch: 2, connection: 2, leaving: true });
  beat({ epoch: 3, connection: 1 });
  t.strictSame(met.slice(3), ['away 2', 'here 3'], 'it has said that it goes');
});

t.test(
  'a host that is silent is away, and not one of which an edge has heard nothing because it stood still itself',
  async (t) => {
    const { met, beat, clock } = open(t);
    beat({});
    await clock.advance(2_000);
    beat({});
    await clock.pause(20_000);
    t.strictSame(met, ['here 1']);
    await clock.advance(1_000);
    beat({});
    await clock.advance(1_000);
    t.strictSame(met, ['here 1']);
    await clock.advance(3_000);
    t.strictSame(met, ['here 1', 'away 1']);
    beat({});
    t.strictSame(met, ['here 1', 'away 1', 'here 1']);
  },
);
