import { CLIENT_MESSAGES, CLOSE, encodeClientMessage, LIMITS, traitsOf } from '@runcloud/protocol';
import fc from 'fast-check';
import t from 'tap';
import { Bystander } from '../support/bystander.ts';
import { ControlClient } from '../support/control-client.ts';
import { SOCKETS } from '../support/listen.ts';
import { startServer } from '../support/server.ts';
import { watchFaults } from '../support/watch-faults.ts';

const faults = watchFaults();
const server = await startServer();
const session = await server.rest.createSession('ios');
const bystander = await Bystander.start(server);
t.teardown(() => server.close());

const connect = () => ControlClient.connect(server.url, session, server.rest.authorization);

/** The close code that these bytes are answered with, or `open` when a ping after them is answered. */
async function outcomeOf(bytes: Uint8Array | string): Promise<number | 'open'> {
  const client = await connect();
  client.sendBytes(bytes);
  client.send({ type: 'ping', id: 1 });
  const open = client.next('pong').then(
    () => 'open' as const,
    async () => (await client.closed).code,
  );
  const outcome = await open;
  client.terminate();
  return outcome;
}

const TAP = { type: 'interaction', requestId: 'a', action: 'tap', x: 0.5, y: 0.5 };
const packed = encodeClientMessage(TAP);
/** A map of one entry, `type`, whose value is these bytes. */
const typed = (...value: number[]) => Buffer.from([0x81, 0xa4, ...Buffer.from('type'), ...value]);

t.test('a message that is cut off at any length closes the socket with 1007 and has no effect', async (t) => {
  const lengths = Array.from({ length: packed.length }, (_, index) => index);
  for (const length of lengths) {
    const code = await outcomeOf(packed.subarray(0, length));
    if (code !== CLOSE.undecodable.code) t.fail(`cut at ${length}: ${code}`);
  }
  t.equal(await outcomeOf(packed), 'open', 'the whole message is fine');
});

t.test('bytes that are no plain MessagePack map close the socket with 1007', async (t) => {
  const undecodable: Readonly<Record<string, Uint8Array>> = {
    'a number': Buffer.of(0x01),
    nil: Buffer.of(0xc0),
    'a list': Buffer.of(0x91, 0x01),
    'the byte that is never used': typed(0xc1),
    'a fixed extension': typed(0xd4, 0x01, 0x00),
    'an extension': typed(0xc7, 0x01, 0x05, 0x00),
    'a timestamp': typed(0xd6, 0xff, 0, 0, 0, 0),
    'a regular expression': typed(0xc7, 0x03, 0x78, 0x92, 0xa0, 0xa0),
    'a record definition': Buffer.from([0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 0x01]),
    'a number as key': Buffer.of(0x81, 0x01, 0x01),
    'nil as key': Buffer.of(0x81, 0xc0, 0x01),
    'an empty key': Buffer.of(0x81, 0xa0, 0x01),
    'the key __proto__': Buffer.from([0x81, 0xa9, ...Buffer.from('__proto__'), 0x01]),
    'a key twice': Buffer.from([0x82, 0xa1, 0x61, 0x01, 0xa1, 0x61, 0x02]),
    'a key twice further in': typed(0x82, 0xa1, 0x61, 0x01, 0xa1, 0x61, 0x02),
    'text that is not UTF-8': typed(0xa1, 0xff),
    'an integer past 2^53': typed(0xcf, 0xff, 0, 0, 0, 0, 0, 0, 0),
    'something after the map': Buffer.concat([packed, Buffer.of(0xc0)]),
    'a map of four billion entries': Buffer.of(0xdf, 0xff, 0xff, 0xff, 0xff),
    'a text of four billion bytes': typed(0xdb, 0xff, 0xff, 0xff, 0xff),
    'nine levels': typed(...Array.from({ length: 8 }, () => 0x91), 0x01),
    'ten thousand levels': typed(...Array.from({ length: 10_000 }, () => 0x91), 0x01),
    'too many entries': typed(0xdc, 0xff, 0xff, ...Array.from({ length: 0xffff }, () => 0x00)),
  };
  for (const [name, bytes] of Object.entries(undecodable))
    t.equal(await outcomeOf(bytes), CLOSE.undecodable.code, name);
});

t.test('random bytes close the socket with 1007 unless they happen to be a map', async (t) => {
  const samples = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 300 }), { numRuns: 60, seed: 20 });
  for (const bytes of samples) {
    const code = await outcomeOf(bytes);
    const first = bytes[0] ?? 0;
    const isMap = (first >= 0x80 && first <= 0x8f) || first === 0xde || first === 0xdf;
    if (code !== CLOSE.undecodable.code && !isMap) t.fail(`${Buffer.from(bytes).toString('hex')}: ${code}`);
  }
  t.pass('all were closed');
});

t.test(
  'text closes with 1003 and what is too large with 1009, by uWebSockets.js without a code when it is far too large',
  async (t) => {
    t.equal(await outcomeOf('hello'), CLOSE.text.code);
    t.equal(await outcomeOf(JSON.stringify(TAP)), CLOSE.text.code);
    t.equal(await outcomeOf(Buffer.alloc(LIMITS.clientMessageBytes + 1)), CLOSE.tooLarge.code);
    t.equal(
      await outcomeOf(Buffer.alloc(LIMITS.clientMessageBytes * 3)),
      SOCKETS === 'ws' ? CLOSE.tooLarge.code : 1006,
    );
  },
);

t.test('a map that fits no message is answered with an error that names the field, and the socket stays', async (t) => {
  const client = await connect();
  const wrong: readonly (readonly [Record<string, unknown>, string, RegExp])[] = [
    [{}, 'invalid_request', /"type"/],
    [{ type: 1 }, 'invalid_request', /"type"/],
    [{ type: null }, 'invalid_request', /"type"/],
    [{ type: 'dance' }, 'unknown_message', /"dance"/],
    [{ type: 'constructor' }, 'unknown_message', /"constructor"/],
    [{ type: 'ready' }, 'unknown_message', /"ready"/],
    [{ type: `x${'y'.repeat(1_000)}` }, 'unknown_message', /"xy{63}"/],
    [{ type: 'a\r\nb' }, 'unknown_message', /"a\?\?b"/],
    [{ type: 'ping' }, 'invalid_request', /"id"/],
    [{ type: 'ping', id: -1 }, 'invalid_request', /"id"/],
    [{ type: 'ping', id: 1.5 }, 'invalid_request', /"id"/],
    [{ type: 'ping', id: 1, more: 1 }, 'invalid_request', /"more"/],
    [{ type: 'cancel' }, 'invalid_request', /"requestId"/],
    [{ type: 'screenshot', requestId: 'a b' }, 'invalid_request', /"requestId"/],
    [{ type: 'screenshot', requestId: 'x'.repeat(129) }, 'invalid_request', /"requestId"/],
    [{ type: 'interaction', action: 'tap', x: 0, y: 0 }, 'invalid_interaction', /"requestId"/],
    [{ ...TAP, requestId: 7 }, 'invalid_interaction', /"requestId"/],
    [{ type: 'pointer', requestId: 'p', phase: 'move', points: [{ x: 0, y: 0 }] }, 'invalid_interaction', /"p"/],
  ];
  for (const [index, [message, code, sentence]] of wrong.entries()) {
    client.send(message);
    client.send({ type: 'ping', id: index });
    await client.next('pong', ({ id }) => id === index);
    const last = client.messages.filter(({ type }) => type === 'error').at(-1);
    t.match(last, { code, message: sentence }, JSON.stringify(message).slice(0, 80));
  }
  t.equal(client.messages.filter(({ type }) => type === 'error').length, wrong.length, 'one answer each');
  await client.close();
});

t.test('an interaction that is refused under its id is answered with one result, and the socket stays', async (t) => {
  const client = await connect();
  const wrong: readonly (readonly [string, Record<string, unknown>, string, RegExp])[] = [
    ['a wrong type', { action: 'tap', x: '0.5', y: 0.5 }, 'invalid_interaction', /"x"/],
    ['a missing field', { action: 'tap', x: 0.5 }, 'invalid_interaction', /"y"/],
    ['not a number', { action: 'tap', x: Number.NaN, y: 0.5 }, 'invalid_interaction', /"x"/],
    ['out of range', { action: 'tap', x: 1.1, y: 0.5 }, 'invalid_interaction', /"x"/],
    ['an unknown field', { action: 'tap', x: 0, y: 0, force: 1 }, 'invalid_interaction', /"force"/],
    ['an unknown action', { action: 'shake' }, 'invalid_interaction', /"action"/],
    ['no action', {}, 'invalid_interaction', /"action"/],
    ['a list as action', { action: ['tap'] }, 'invalid_interaction', /"action"/],
    ['bad acks', { action: 'tap', x: 0, y: 0, acks: 'some' }, 'invalid_interaction', /"acks"/],
    ['a short timeout', { action: 'tap', x: 0, y: 0, timeoutMs: 99 }, 'invalid_interaction', /"timeoutMs"/],
    ['a button of the other platform', { action: 'pressButton', button: 'back' }, 'unsupported_action', /back/],
    [
      'no such orientation here',
      { action: 'rotate', orientation: 'portrait_upside_down' },
      'unsupported_action',
      /landscape_left/,
    ],
    ['the crown', { action: 'rotateDigitalCrown', delta: 1 }, 'unsupported_action', /./],
  ];
  for (const [index, [name, fields, code, sentence]] of wrong.entries()) {
    const requestId = `wrong-${index}`;
    const result = await client.interact({ requestId, ...fields });
    t.match(
      result,
      {
        ok: false,
        status: 'failed',
        requestId,
        sessionId: session.id,
        platform: 'ios',
        error: { code, message: sentence, retryable: false },
      },
      name,
    );
  }
  t.match(await client.interact({ requestId: 'right', action: 'tap', x: 0.5, y: 0.5 }), { ok: true });
  t.equal(client.messages.filter(({ type }) => type === 'result').length, wrong.length + 1, 'one result each');
  t.equal(client.messages.filter(({ type }) => type === 'accepted').length, 1, 'what is refused was never accepted');
  await client.close();
});

t.test('the traits of a message determine how it is refused', async (t) => {
  const client = await connect();
  const phases = [undefined, 'begin', 'move'];
  const wrong = ['interaction', ...CLIENT_MESSAGES.keys()].flatMap((type) => phases.map((phase) => ({ type, phase })));
  for (const [index, { type, phase }] of wrong.entries()) {
    const requestId = `trait-${index}`;
    client.send({ type, requestId, ...(phase === undefined ? {} : { phase }), unheard: 'of' });
    const { answered, refusedAs: code = 'invalid_request' } = traitsOf(type) ?? {};
    const isAnswered = answered === 'begin' ? phase === 'begin' : answered;
    client.send({ type: 'ping', id: index });
    await client.next('pong', ({ id }) => id === index);
    const answers = client.messages.filter((message) => 'requestId' in message && message.requestId === requestId);
    t.match(answers, [isAnswered ? { type: 'result', error: { code } } : { type: 'error', code }], `${type} ${phase}`);
  }
  await client.close();
});

t.test('a client whose messages are refused again and again is closed with 1008, and only that one', async (t) => {
  const client = await connect();
  for (let index = 0; index <= LIMITS.refusedMessagesPerMinute; index++) client.send({ type: 'dance' });
  t.equal((await client.closed).code, CLOSE.policy.code);
  t.equal(client.messages.filter(({ type }) => type === 'error').length, LIMITS.refusedMessagesPerMinute + 1);
  t.equal(await outcomeOf(packed), 'open', 'a new connection starts with nothing counted');
});

t.test(
  'meanwhile every tap of another client was completed, no exception got away and the server still serves',
  async (t) => {
    t.ok((await bystander.stop()) > 0);
    t.same(faults(), []);
    t.match(await server.rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), {
      status: 200,
      body: { ok: true },
    });
  },
);
