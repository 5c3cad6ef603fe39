import t from 'tap';
import { gatewayRows, hostRows, type Rows } from '../../server/link/input-rows.ts';
import type { FromHost, Port, ToHost } from '../../server/link/messages.ts';

/** Both ends, with what crosses between them: copies, as another thread gets them. */
function openEnds() {
  const crossed: { toHost: Rows<ToHost>[]; toGateway: Rows<FromHost>[] } = { toHost: [], toGateway: [] };
  const transferred: ArrayBuffer[] = [];
  const closings: string[] = [];
  let receiveAtHost: (batch: Rows<ToHost>) => void = () => undefined;
  let receiveAtGateway: (batch: Rows<FromHost>) => void = () => undefined;
  const rest = {
    onClosed: (tell: (reason: string) => void) => tell('gone'),
    close: async () => void closings.push('closed'),
  };
  const gatewayPort: Port<Rows<ToHost>[number], Rows<FromHost>[number]> = {
    send(batch, transfer) {
      crossed.toHost.push(batch);
      transferred.push(...transfer);
      receiveAtHost(structuredClone(batch, { transfer: [...transfer] }));
    },
    onReceive: (listener) => {
      receiveAtGateway = listener;
    },
    ...rest,
  };
  const hostPort: Port<Rows<FromHost>[number], Rows<ToHost>[number]> = {
    send(batch, transfer) {
      crossed.toGateway.push(batch);
      transferred.push(...transfer);
      receiveAtGateway(structuredClone(batch, { transfer: [...transfer] }));
    },
    onReceive: (listener) => {
      receiveAtHost = listener;
    },
    ...rest,
  };
  const gateway = gatewayRows(gatewayPort);
  const host = hostRows(hostPort);
  const received: { atHost: (readonly ToHost[])[]; atGateway: (readonly FromHost[])[] } = { atHost: [], atGateway: [] };
  host.onReceive((batch) => void received.atHost.push(batch));
  gateway.onReceive((batch) => void received.atGateway.push(batch));
  return { gateway, host, crossed, received, transferred, closings };
}

const tap = (call: number, x = 0.1, y = 1) =>
  ({
    kind: 'perform',
    call,
    device: 7,
    request: { action: 'tap', x, y },
    inputSeq: 0xffff_ffff,
    wantsSteps: false,
  }) as const;
const answer = (call: number, value: unknown = { pointCount: 1 }) => ({ kind: 'answer', call, value }) as const;

t.test('taps cross as one list of numbers and come out as they went in', (t) => {
  const { gateway, crossed, received } = openEnds();
  const batch = [tap(1, 0.1, 1), tap(2 ** 40, 0, 2 / 3), tap(3, 5e-324, 0.5)];
  gateway.send(batch, []);
  t.strictSame(received.atHost, [batch]);
  t.equal(crossed.toHost[0]?.length, 1, 'one list');
  t.strictSame(
    crossed.toHost[0]?.flat().filter((item) => typeof item !== 'number'),
    [],
    'numbers alone',
  );
  t.end();
});

t.test('the steps of a finger cross in the list of the taps', (t) => {
  const { gateway, crossed, received } = openEnds();
  const step = (call: number, phase: 'begin' | 'move' | 'end' | 'cancel') =>
    ({ kind: 'pointer', call, device: 7, phase, points: [{ x: call / 9, y: 1 / 3 }], inputSeq: call }) as const;
  const batch = [tap(1), step(2, 'begin'), step(3, 'move'), tap(4), step(5, 'end'), step(6, 'cancel')];
  gateway.send(batch, []);
  t.strictSame(received.atHost, [batch]);
  t.equal(crossed.toHost[0]?.length, 1, 'one list');
  t.end();
});

t.test('other requests cross unchanged, and keep their order between taps', (t) => {
  const { gateway, crossed, received } = openEnds();
  const typed = { action: 'typeText', text: 'a' } as const;
  const batch: ToHost[] = [
    tap(1),
    tap(2),
    { kind: 'cancel', call: 2 },
    tap(3),
    { kind: 'perform', call: 4, device: 7, request: typed, inputSeq: 4, wantsSteps: false },
    {
      kind: 'pointer',
      call: 5,
      device: 7,
      phase: 'begin',
      points: [
        { x: 0, y: 1 },
        { x: 1, y: 0 },
      ],
      inputSeq: 5,
    },
    { kind: 'pointer', call: 8, device: 7, phase: 'cancel', points: [], inputSeq: 5 },
    tap(6),
  ];
  gateway.send(batch, []);
  t.strictSame(received.atHost, [batch]);
  t.strictSame(
    crossed.toHost[0]?.map((item) => Array.isArray(item)),
    [true, false, true, false, false, false, true],
  );
  t.end();
});

t.test('no field of a tap is lost: one that wants steps crosses as an object', (t) => {
  const { gateway, crossed, received } = openEnds();
  const batch = [{ ...tap(1), wantsSteps: true }];
  gateway.send(batch, []);
  t.strictSame(received.atHost, [batch]);
  t.equal(Array.isArray(crossed.toHost[0]?.[0]), false);
  t.end();
});

t.test('answers to inputs cross as one list of numbers and come out as they went in', (t) => {
  const { host, crossed, received } = openEnds();
  const ofStep = { kind: 'answer', call: 3, value: true } as const;
  const batch = [answer(1), answer(2), ofStep, answer(2 ** 40, { pointCount: 2 })];
  host.send(batch, []);
  t.strictSame(received.atGateway, [batch]);
  t.equal(crossed.toGateway[0]?.length, 1);
  t.end();
});

t.test('every other answer crosses as it is, and keeps its place', (t) => {
  const { host, crossed, received } = openEnds();
  const batch: FromHost[] = [
    answer(1),
    answer(2, { pointCount: 1, durationMs: 300 }),
    { kind: 'answer', call: 3, value: undefined },
    answer(3, { pointCount: 0 }),
    answer(3, false),
    answer(4, null),
    answer(5, {}),
    answer(6, { pointCount: '1' }),
    answer(7, [1, 2]),
    { kind: 'fault', call: 8, fault: { kind: 'aborted', message: 'The call was ended.' } },
    { kind: 'steps', call: 9, steps: 3 },
    answer(10),
    { kind: 'lost', device: 7, reason: 'gone' },
  ];
  host.send(batch, []);
  t.strictSame(received.atGateway, [batch]);
  t.strictSame(
    crossed.toGateway[0]?.flatMap((item, index) => (Array.isArray(item) ? [index] : [])),
    [0, 11],
  );
  t.end();
});

t.test('each batch has lists of its own', (t) => {
  const { gateway, crossed, received } = openEnds();
  gateway.send([tap(1)], []);
  gateway.send([tap(2)], []);
  t.strictSame(received.atHost, [[tap(1)], [tap(2)]]);
  t.not(crossed.toHost[0]?.[0], crossed.toHost[1]?.[0]);
  t.end();
});

t.test('pictures still cross by transfer, and the end of the connection is told', async (t) => {
  const { gateway, host, transferred, received, closings } = openEnds();
  const png = new Uint8Array(1_000).fill(7);
  host.send([answer(1), answer(2, { png })], [png.buffer]);
  t.equal(png.byteLength, 0, 'the sender has given it away');
  t.equal(transferred.length, 1);
  t.equal(received.atGateway[0]?.length, 2);
  for (const port of [gateway, host]) {
    port.onClosed((reason) => t.equal(reason, 'gone'));
    await port.close();
  }
  t.strictSame(closings, ['closed', 'closed']);
});
