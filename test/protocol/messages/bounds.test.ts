import t from 'tap';
import { checkClientMessage } from '../../../protocol/messages/client.ts';

/** Both sides of each bound of the messages other than `interaction`. */

const pathOf = (type: string, fields: object): string => {
  const checked = checkClientMessage({ type, ...fields });
  return checked.kind === 'invalid' ? checked.fault.path : checked.kind;
};
const point = { x: 0.5, y: 0.5 };

t.test('a pointer step has one or two points on the display, and a phase', async (t) => {
  const pointer = (fields: object) => pathOf('pointer', { requestId: 'r', phase: 'move', points: [point], ...fields });
  for (const phase of ['begin', 'move', 'end']) t.equal(pointer({ phase }), 'valid');
  for (const phase of ['cancel', 'Begin', '', null]) t.equal(pointer({ phase }), 'phase');
  t.equal(pointer({ points: [point, point] }), 'valid');
  for (const points of [[], [point, point, point], point, null]) t.equal(pointer({ points }), 'points');
  t.equal(pointer({ points: [{ x: 1.000_000_1, y: 0 }] }), 'points[0].x');
  t.equal(pointer({ points: [point, { x: 0, y: Number.NaN }] }), 'points[1].y');
  t.equal(pointer({ points: [{ ...point, z: 1 }] }), 'points[0].z');
  for (const timeoutMs of [100, 60_000]) t.equal(pointer({ timeoutMs }), 'valid');
  for (const timeoutMs of [99, 60_001, 100.5, '100']) t.equal(pointer({ timeoutMs }), 'timeoutMs');
  t.equal(pointer({ acks: 'some' }), 'acks');
});

t.test('a picture stream is bounded in rate, size and quality', async (t) => {
  const start = (fields: object) => pathOf('screen.start', { encodings: ['png'], ...fields });
  for (const [name, min, max] of [
    ['maxFps', 1, 60],
    ['maxLongEdge', 64, 8_192],
    ['quality', 1, 100],
  ] as const) {
    for (const value of [min, max]) t.equal(start({ [name]: value }), 'valid', `${name} ${value}`);
    for (const value of [min - 1, max + 1, min + 0.5, `${min}`, null]) t.equal(start({ [name]: value }), name);
  }
});

t.test('a display is named with 1 to 64 characters', async (t) => {
  const start = (display: unknown) => pathOf('screen.start', { encodings: ['png'], display });
  for (const display of ['a', 'x'.repeat(64), '4619827259835644672']) t.equal(start(display), 'valid');
  for (const display of ['', 'x'.repeat(65), 0, null]) t.equal(start(display), 'display');
});

t.test('encodings are named once each, in order of preference', async (t) => {
  const start = (encodings: unknown) => checkClientMessage({ type: 'screen.start', encodings });
  for (const encodings of [['h264'], ['png', 'jpeg'], ['jpeg', 'h264', 'png']])
    t.match(start(encodings), { kind: 'valid' });
  for (const encodings of [[], ['png', 'png'], ['h264', 'jpeg', 'png', 'png'], 'png', null]) {
    t.match(start(encodings), {
      fault: { path: 'encodings', message: 'must be a list of different encodings out of h264, jpeg, png' },
    });
  }
  t.match(start(['png', 'vp9']), { fault: { path: 'encodings[1]', message: 'must be one of h264, jpeg, png' } });
});

t.test('stream ids and sequence numbers have 32 bits', async (t) => {
  for (const value of [0, 0xffff_ffff]) {
    t.equal(pathOf('screen.ack', { streamId: value, seq: value }), 'valid');
    t.equal(pathOf('screen.keyframe', { streamId: value }), 'valid');
    t.equal(pathOf('screen.stop', { streamId: value }), 'valid');
  }
  for (const value of [-1, 0x1_0000_0000, 0.5, '0']) {
    t.equal(pathOf('screen.ack', { streamId: value, seq: 0 }), 'streamId');
    t.equal(pathOf('screen.ack', { streamId: 0, seq: value }), 'seq');
    t.equal(pathOf('screen.stop', { streamId: value }), 'streamId');
  }
});

t.test('a ping has a whole number that a double holds exactly', async (t) => {
  for (const id of [0, 1, Number.MAX_SAFE_INTEGER]) t.equal(pathOf('ping', { id }), 'valid');
  for (const id of [-1, Number.MAX_SAFE_INTEGER + 1, 0.5, Number.NaN, Infinity, '1', null])
    t.equal(pathOf('ping', { id }), 'id');
});

t.test('an idempotency key has 1 to 200 printable characters', async (t) => {
  const start = (idempotencyKey: unknown) => pathOf('recording.start', { requestId: 'r', idempotencyKey });
  for (const key of ['k', 'k'.repeat(200), ' ', '~', 'a b']) t.equal(start(key), 'valid');
  for (const key of ['', 'k'.repeat(201), 'a\n', '\t', 'é', '\x7f', 1, null]) t.equal(start(key), 'idempotencyKey');
});

t.test('a recording id has 1 to 64 characters', async (t) => {
  for (const type of ['recording.stop', 'recording.get']) {
    const withId = (recordingId: unknown) => pathOf(type, { requestId: 'r', recordingId });
    for (const id of ['r', 'r'.repeat(64)]) t.equal(withId(id), 'valid');
    for (const id of ['', 'r'.repeat(65), 1, null]) t.equal(withId(id), 'recordingId');
  }
});

t.test('the action of a cancel has at most 64 characters', async (t) => {
  t.equal(pathOf('cancel', { requestId: 'r', action: 'a'.repeat(64) }), 'valid');
  t.equal(pathOf('cancel', { requestId: 'r', action: 'a'.repeat(65) }), 'action');
});
