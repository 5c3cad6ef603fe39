import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { answersIn } from '../../../../server/drivers/android/scrcpy/control-messages.ts';
import { ControlSocket } from '../../../../server/drivers/android/scrcpy/control-socket.ts';

/** A socket to a server that takes what it is told, and whose answers are given by hand. */
function open({ takes = true } = {}) {
  const told: Buffer[] = [];
  const lost: string[] = [];
  let hangUp: () => void = () => undefined;
  let say: (bytes: Buffer) => void = () => undefined;
  const readable = new ReadableStream<Uint8Array>({
    start(controller) {
      hangUp = () => controller.close();
      say = (bytes) => controller.enqueue(bytes);
    },
  });
  const writable = new WritableStream<Uint8Array>({
    write: (message) => {
      told.push(Buffer.from(message));
      return takes ? undefined : new Promise<void>(() => undefined);
    },
  });
  const socket = new ControlSocket({ readable, writable, close: () => undefined } as never, (why) => lost.push(why));
  /** The requests to the server since the last call, in printable form. */
  const questions = () =>
    told
      .splice(0)
      .filter((message) => message[0] === 1)
      .flatMap((message) =>
        answersIn(`Could not inject char u+${message.toString('utf8', 5).charCodeAt(0).toString(16)}`),
      );
  return { socket, told, lost, questions, hangUp: () => hangUp(), say: (bytes: Buffer) => say(bytes) };
}

const soon = () => sleep(5);

// Deadlines of the socket's do not keep a process.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

t.test('a message counts as taken when the server has answered a later request', async (t) => {
  const { socket, told, questions } = open();
  let taken = 0;
  socket.send(Buffer.of(17));
  const waits = [socket.taken(), socket.taken()].map((wait) => wait.then(() => taken++));
  await soon();
  t.same(told[0], Buffer.of(17));
  const [first = -1, second = -1] = questions();
  t.equal(taken, 0);
  socket.answered(second + 1);
  await soon();
  t.equal(taken, 0, 'nobody has asked that');
  socket.answered(first);
  await soon();
  t.equal(taken, 1);
  socket.answered(second);
  await Promise.all(waits);
  const later = socket.taken();
  await soon();
  for (const number of questions()) socket.answered(number);
  await later;
});

t.test('an answer answers the questions before it as well', async (t) => {
  const { socket, questions } = open();
  const waits = [socket.taken(), socket.taken(), socket.taken()];
  await soon();
  socket.answered(questions().at(-1) ?? -1);
  await t.resolves(Promise.all(waits));
});

t.test('a server that does not answer is given up, sooner when nobody waits for it any more', async (t) => {
  const { socket, lost } = open();
  await t.rejects(socket.taken(AbortSignal.timeout(20)), { name: 'DeviceFault', kind: 'aborted' });
  await t.rejects(socket.taken(AbortSignal.abort()), { name: 'DeviceFault', kind: 'aborted' });
  await t.rejects(socket.taken(), { name: 'DeviceFault', kind: 'unavailable' });
  t.same(lost, [], 'it may be busy');
});

t.test('the clipboard is what the server says of it, in the order in which it was asked', async (t) => {
  const { socket, told, say } = open();
  say(Buffer.from([0, 0, 0, 0, 1, 0x78]));
  await soon();
  const texts = Promise.all([socket.clipboard(), socket.clipboard()]);
  await soon();
  t.same(told, [Buffer.of(8, 0), Buffer.of(8, 0)]);
  say(Buffer.from([0, 0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 0, 0]));
  t.same(await texts, ['é', ''], 'and not what it said before');
});

t.test('a clipboard that is not told is waited for no longer than a caller or a device may take', async (t) => {
  const { socket, lost } = open();
  await t.rejects(socket.clipboard(AbortSignal.timeout(20)), { name: 'DeviceFault', kind: 'aborted' });
  await t.rejects(socket.clipboard(AbortSignal.abort()), { name: 'DeviceFault', kind: 'aborted' });
  await t.rejects(socket.clipboard(), { name: 'DeviceFault', kind: 'failed' });
  t.same(lost, [], 'the device may forbid it');
});

t.test('a server that says what is no message is lost', async (t) => {
  const { socket, lost, say } = open();
  const waiting = socket.clipboard();
  say(Buffer.of(77));
  await t.rejects(waiting, { name: 'DeviceFault', kind: 'unreachable' });
  t.match(lost, [/type 77/]);
});

t.test('a socket that is closed fails who waits and whoever comes after, and is told once', async (t) => {
  const { socket, lost, hangUp } = open();
  const waiting = socket.taken();
  hangUp();
  await t.rejects(waiting, { name: 'DeviceFault', kind: 'unreachable', message: /closed/ });
  t.throws(() => socket.send(Buffer.of(17)), { name: 'DeviceFault', kind: 'unreachable' });
  await t.rejects(socket.taken(), { name: 'DeviceFault', kind: 'unreachable' });
  t.equal(lost.length, 1);
});

t.test('a server that reads nothing is lost before much has piled up', async (t) => {
  const { socket, lost } = open({ takes: false });
  t.throws(
    () => {
      for (let count = 0; count < 1_000; count++) socket.send(Buffer.alloc(1_000));
    },
    { name: 'DeviceFault', kind: 'unreachable', message: /does not read/ },
  );
  t.equal(lost.length, 1);
});

t.test('a socket that its owner closes is not reported as lost', async (t) => {
  const { socket, lost, hangUp } = open();
  const waiting = socket.taken();
  socket.close();
  hangUp();
  await t.rejects(waiting, { name: 'DeviceFault', kind: 'unreachable' });
  await soon();
  t.same(lost, []);
});
