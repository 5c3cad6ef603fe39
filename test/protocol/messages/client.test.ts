import t from 'tap';
import { CLIENT_MESSAGES, requestIdOf, roleFor } from '../../../protocol/index.ts';
import { checkClientMessage } from '../../../protocol/messages/client.ts';
import { TRAITS, traitsOf } from '../../../protocol/messages/traits.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A valid message of every type but `interaction`, with every field that it may have. */
const FULL: Readonly<Record<string, Fields>> = {
  cancel: { requestId: 'r', action: 'tap' },
  pointer: { requestId: 'r', phase: 'begin', points: [{ x: 0, y: 1 }], timeoutMs: 100, acks: 'final' },
  screenshot: { requestId: 'r', timeoutMs: 60_000, settled: true },
  ui: { requestId: 'r', format: 'outline' },
  'ui.check': { requestId: 'r', target: { text: 'a' }, is: 'enabled', not: true },
  'ui.wait': { requestId: 'r', target: { text: 'a' }, count: 2, not: false, timeoutMs: 100 },
  'open-url': { requestId: 'r', url: 'https://example.com/' },
  'clipboard.get': { requestId: 'r' },
  'clipboard.set': { requestId: 'r', text: '' },
  'control.request': { requestId: 'r' },
  'control.take': { requestId: 'r' },
  'control.release': { requestId: 'r' },
  'control.grant': { requestId: 'r', participant: 'prt_1' },
  'control.deny': { requestId: 'r', participant: 'prt_1' },
  'history.list': { requestId: 'r', after: 0, newest: 1, limit: 200 },
  'recording.start': { requestId: 'r', idempotencyKey: 'k' },
  'recording.stop': { requestId: 'r', recordingId: 'rec_1' },
  'recording.get': { requestId: 'r', recordingId: 'rec_1' },
  'recording.list': { requestId: 'r' },
  'screen.start': { encodings: ['h264', 'jpeg', 'png'], maxFps: 60, maxLongEdge: 64, quality: 1, display: 'outer' },
  'screen.ack': { streamId: 0, seq: 0xffff_ffff },
  'screen.keyframe': { streamId: 1 },
  'screen.stop': { streamId: 1 },
  ping: { id: 0 },
};
const OPTIONAL = [
  'is',
  'count',
  'not',
  'format',
  'action',
  'timeoutMs',
  'settled',
  'acks',
  'after',
  'newest',
  'limit',
  'idempotencyKey',
  'maxFps',
  'maxLongEdge',
  'quality',
  'display',
];
const INTERACTION = { type: 'interaction', requestId: 'r', action: 'reload' };

const pathOf = (map: Fields): string => {
  const checked = checkClientMessage(map);
  return checked.kind === 'invalid' ? checked.fault.path : checked.kind;
};

t.test('there is an example of every type', async (t) => {
  t.strictSame(Object.keys(FULL).sort(), [...CLIENT_MESSAGES.keys()].sort());
});

for (const [type, fields] of Object.entries(FULL)) {
  const full = { type, ...fields };

  t.test(`${type} is accepted with all of its fields, and with the required ones alone`, async (t) => {
    t.match(checkClientMessage(full), { kind: 'valid', message: full });
    const required = Object.fromEntries(Object.entries(full).filter(([name]) => !OPTIONAL.includes(name)));
    t.equal(pathOf(required), 'valid');
  });

  t.test(`${type} without one of its required fields is refused by the name of that field`, async (t) => {
    for (const name of Object.keys(fields).filter((name) => !OPTIONAL.includes(name))) {
      t.equal(pathOf(Object.fromEntries(Object.entries(full).filter(([key]) => key !== name))), name);
    }
    t.pass('all of them');
  });

  t.test(`${type} with an unknown field, or a field of a wrong type, is refused by its name`, async (t) => {
    t.equal(pathOf({ ...full, extra: 1 }), 'extra');
    for (const name of Object.keys(fields)) {
      const wrong = [null, typeof fields[name] === 'boolean' ? 'true' : true, {}, -1.5];
      for (const value of wrong) t.equal(pathOf({ ...full, [name]: value }), name);
    }
  });
}

t.test('an interaction is handed on with its defaults, and all stages are acknowledged', async (t) => {
  t.match(checkClientMessage(INTERACTION), {
    kind: 'valid',
    message: { type: 'interaction', acks: 'all', request: { action: 'reload', requestId: 'r', timeoutMs: 15_000 } },
  });
  t.match(checkClientMessage({ ...INTERACTION, acks: 'final' }), { message: { acks: 'final' } });
});

t.test('an interaction on the socket needs a request id', async (t) => {
  t.equal(pathOf({ type: 'interaction', action: 'reload' }), 'requestId');
  for (const requestId of ['', 'a b', 1, null]) t.equal(pathOf({ ...INTERACTION, requestId }), 'requestId');
});

t.test('any other wish for acknowledgements is refused', async (t) => {
  for (const acks of ['none', 'All', '', null, true, 1]) t.equal(pathOf({ ...INTERACTION, acks }), 'acks');
});

t.test('the fields of an interaction are checked by the rules of its action', async (t) => {
  t.equal(pathOf({ ...INTERACTION, x: 1 }), 'x');
  t.equal(pathOf({ ...INTERACTION, action: 'nothing' }), 'action');
  t.equal(pathOf({ type: 'interaction', requestId: 'r' }), 'action');
});

t.test('a message without a type is refused; one of an unknown type is told apart', async (t) => {
  for (const type of [undefined, null, 1, ['ping'], {}]) t.equal(pathOf({ type }), 'type');
  t.equal(pathOf({}), 'type');
  for (const type of ['', 'Ping', 'ready', 'result', 'constructor', 'toString']) {
    t.match(checkClientMessage({ type }), { kind: 'unknown', type });
  }
});

t.test('the decoded map comes with every outcome', async (t) => {
  for (const map of [
    INTERACTION,
    { ...INTERACTION, x: 1 },
    { type: 'ping', id: 1 },
    { type: 'ping' },
    { type: '?' },
    {},
  ]) {
    t.equal(checkClientMessage(map).map, map);
  }
});

t.test('the request id of a refused map is told only when it is one', async (t) => {
  t.equal(requestIdOf({ type: '?', requestId: 'r:1' }), 'r:1');
  for (const requestId of [undefined, '', 'a b', 'r'.repeat(129), 1, null])
    t.equal(requestIdOf({ requestId }), undefined);
});

t.test('messages that touch the device need the control role, the others do not', async (t) => {
  const types = ['interaction', ...CLIENT_MESSAGES.keys()] as Parameters<typeof roleFor>[0][];
  t.strictSame(
    types.filter((type) => roleFor(type) === 'control'),
    [
      'interaction',
      'cancel',
      'pointer',
      'open-url',
      'clipboard.get',
      'clipboard.set',
      'control.request',
      'control.take',
      'control.release',
      'control.grant',
      'control.deny',
      'history.list',
      'recording.start',
      'recording.stop',
    ],
  );
});

t.test('every message has its traits, and no other name has any', async (t) => {
  t.same(Object.keys(TRAITS).sort(), ['interaction', ...CLIENT_MESSAGES.keys()].sort());
  for (const name of ['toString', 'constructor', '', 7, undefined]) t.equal(traitsOf(name), undefined);
});

t.test('messages that carry a request id for their answer say so', async (t) => {
  for (const [type, { schema }] of CLIENT_MESSAGES) {
    t.equal(traitsOf(type)?.answered !== false, 'requestId' in schema.properties && type !== 'cancel', type);
  }
});
