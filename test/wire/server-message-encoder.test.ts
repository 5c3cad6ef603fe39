import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import {
  type Acknowledgement,
  decodeServerMessage,
  encodeServerMessage,
  type ServerMessage,
} from '../../protocol/index.ts';
import { ServerMessageEncoder } from '../../server/wire/server-message-encoder.ts';

const decoded = (bytes: Uint8Array): unknown => {
  const read = decodeServerMessage(bytes);
  return read.kind === 'message' ? read.message : undefined;
};

const moment = fc
  .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const id = fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/);
const anyText = fc.oneof(
  id,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('', 'é', 'x'.repeat(256)),
);
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, 127, 128, 255, 256, 65_535, 65_536, 0xffff_ffff, 0x1_0000_0000, -1, 0.5, 2 ** 53 - 1),
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.oneof(anyNumber, anyText, fc.boolean(), fc.constant(null), fc.array(anyNumber, { maxLength: 3 }));
const fields = fc.dictionary(
  fc.stringMatching(/^[a-z][A-Za-z]{0,20}$/).filter((key) => key !== '__proto__'),
  value,
  { maxKeys: 20, noNullPrototype: true },
);

const acknowledgement: fc.Arbitrary<Acknowledgement> = fc
  .record(
    {
      ok: fc.boolean(),
      requestId: anyText,
      status: fc.constantFrom('completed', 'failed', 'cancelled', 'timed_out'),
      acceptedAt: moment,
      completedAt: moment,
      durationMs: fc.nat(),
      sessionId: anyText,
      platform: fc.constantFrom('ios', 'android'),
      action: anyText,
      device: id,
      leaseId: id,
      result: fields,
      error: fc.record({ code: id, message: anyText, retryable: fc.boolean() }),
    },
    { requiredKeys: ['ok', 'requestId', 'status', 'acceptedAt', 'completedAt', 'durationMs'], noNullPrototype: true },
  )
  .map((made) => made as Acknowledgement);

const message: fc.Arbitrary<ServerMessage> = fc.oneof(
  fc.record({ type: fc.constant('accepted' as const), requestId: anyText, acceptedAt: moment, queued: anyNumber }),
  fc.record({ type: fc.constant('dispatched' as const), requestId: anyText, inputSeq: anyNumber }),
  fc.record({ type: fc.constant('dispatched' as const), requestId: anyText, inputSeq: anyNumber, steps: fc.nat() }),
  fc.record({ type: fc.constant('pong' as const), id: fc.nat(), serverTimeUs: fc.nat() }),
  acknowledgement.map((made) => ({ type: 'result' as const, ...made })),
);

t.test('a message that it encodes reads like that of the general encoder', async (t) => {
  const encoder = new ServerMessageEncoder();
  const same = (bytes: Uint8Array, each: ServerMessage) =>
    isDeepStrictEqual(decoded(bytes), decoded(encodeServerMessage(each)));
  const messages = fc.property(message, (each) => same(encoder.encode(each), each));
  const results = fc.property(acknowledgement, (each) => same(encoder.encodeResult(each), { type: 'result', ...each }));
  t.doesNotThrow(() => fc.assert(messages, { numRuns: 2_000 }));
  t.doesNotThrow(() => fc.assert(results, { numRuns: 2_000 }));
});

t.test('a message is encoded alike whatever was encoded before it', async (t) => {
  // Few values, so that consecutive results often differ in one part alone.
  const alike: fc.Arbitrary<Acknowledgement> = fc
    .record(
      {
        ok: fc.constant(true),
        requestId: fc.constantFrom('r-1', 'r-2', 'r-10', 'é-1', ''),
        status: fc.constant('completed' as const),
        acceptedAt: fc.constantFrom(
          '2026-05-06T07:08:09.000Z',
          '2026-05-06T07:08:09.001Z',
          '+010000-01-01T00:00:00.000Z',
        ),
        completedAt: fc.constantFrom(
          '2026-05-06T07:08:09.001Z',
          '2026-05-06T07:08:09.040Z',
          '+010000-01-01T00:00:00.001Z',
        ),
        durationMs: fc.constantFrom(0, 40, 300, 70_000, 0.5),
        sessionId: fc.constantFrom('ses_one', 'ses_two', 'ses_third'),
        platform: fc.constantFrom('ios' as const, 'android' as const),
        action: fc.constantFrom('tap', 'swipe'),
        result: fc.constantFrom({ pointCount: 1 }, { pointCount: 2 }, { key: 'a', of: [1] }),
      },
      {
        requiredKeys: [
          'ok',
          'requestId',
          'status',
          'acceptedAt',
          'completedAt',
          'durationMs',
          'sessionId',
          'platform',
          'action',
        ],
      },
    )
    .map((made) => made as Acknowledgement);
  const one: fc.Arbitrary<ServerMessage> = fc.oneof(
    { weight: 6, arbitrary: alike.map((result) => ({ type: 'result' as const, ...result })) },
    {
      weight: 1,
      arbitrary: fc.constant({
        type: 'accepted' as const,
        requestId: 'r-1',
        acceptedAt: '2026-05-06T07:08:09.000Z',
        queued: 0,
      }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'dispatched' as const, requestId: 'r-1', inputSeq: 7 }) },
    { weight: 1, arbitrary: alike.map((result) => ({ type: 'result' as const, ...result, ok: false })) },
  );
  const property = fc.property(fc.array(one, { minLength: 2, maxLength: 12 }), (messages) => {
    const encoder = new ServerMessageEncoder();
    return messages.every((message) => {
      const fresh = Buffer.from(new ServerMessageEncoder().encode(message));
      return fresh.equals(encoder.encode(message));
    });
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 5_000 }));
});

const TAPPED: Acknowledgement = {
  ok: true,
  requestId: 'r-1',
  sessionId: 'ses_0123456789ABCDEFGHIJKL',
  platform: 'ios',
  action: 'tap',
  status: 'completed',
  acceptedAt: '2026-05-06T07:08:09.000Z',
  completedAt: '2026-05-06T07:08:09.040Z',
  durationMs: 40,
  result: { pointCount: 1 },
};

t.test(
  'the usual messages are written into the scratch memory, byte for byte as the general encoder has them',
  async (t) => {
    const scratch = Buffer.alloc(1_024);
    const encoder = new ServerMessageEncoder(scratch);
    const usual: ServerMessage[] = [
      { type: 'result', ...TAPPED },
      { type: 'accepted', requestId: 'r-1', acceptedAt: TAPPED.acceptedAt, queued: 3 },
      { type: 'dispatched', requestId: 'r-1', inputSeq: 70_000 },
      { type: 'dispatched', requestId: 'r-1', inputSeq: 70_000, steps: 300 },
    ];
    for (const each of usual) {
      const bytes = encoder.encode(each);
      t.equal(bytes.buffer, scratch.buffer, `${each.type} takes the short way`);
      t.equal(Buffer.compare(bytes, encodeServerMessage(each)), 0);
    }
  },
);

t.test('a message that does not fit into the scratch memory is encoded, too', async (t) => {
  for (let bytes = 0; bytes < 256; bytes++) {
    const encoder = new ServerMessageEncoder(new Uint8Array(bytes));
    t.strictSame(decoded(encoder.encodeResult(TAPPED)), { type: 'result', ...TAPPED });
  }
});

t.test('results in a row, of one session and of several, each say what is their own', async (t) => {
  const names = fc.record({
    sessionId: fc.constantFrom('ses_1', 'ses_2', 'x'.repeat(200)),
    platform: fc.constantFrom('ios' as const, 'android' as const),
    action: fc.constantFrom('tap', 'scroll', 'é'),
    requestId: id,
    acceptedAt: moment,
    completedAt: moment,
    durationMs: fc.nat(),
    result: fc.constantFrom(undefined, { pointCount: 1 }, { text: 'y'.repeat(200) }),
  });
  for (const scratch of [Buffer.allocUnsafeSlow(512), new Uint8Array(1_024)]) {
    const encoder = new ServerMessageEncoder(scratch);
    const property = fc.property(fc.array(names, { minLength: 2, maxLength: 12 }), (row) => {
      for (const { result, ...each } of row) {
        const whole: Acknowledgement = { ok: true, status: 'completed', ...each, ...(result ? { result } : {}) };
        const bytes = encoder.encodeResult(whole);
        if (!isDeepStrictEqual(decoded(bytes), decoded(encodeServerMessage({ type: 'result', ...whole }))))
          return false;
      }
      return true;
    });
    t.doesNotThrow(() => fc.assert(property));
  }
});
