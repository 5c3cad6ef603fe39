import t from 'tap';
import { systemClock } from '../../server/flow/clock.ts';
import { portToProcess } from '../../server/link/process-port.ts';
import { startPackageLauncher } from '../../server/packages/package-process.ts';

const lost: string[] = [];
const launcher = startPackageLauncher({ clock: systemClock, onLost: (reason) => lost.push(reason) });
t.teardown(() => launcher.close());

/** A process that says what its script says; `channel` is its end. */
function start(t: { teardown(task: () => void): void }, script: string) {
  const code = `const channel = new (require('node:net').Socket)({ fd: 3 }); channel.on('close', () => process.exit()); ${script}`;
  const child = launcher.start({ program: process.execPath, args: ['-e', code], environment: {} });
  t.teardown(() => child.kill());
  const decode = (line: string) => JSON.parse(line) as unknown;
  const port = portToProcess<unknown, unknown>(child, { decode, lineCharactersMax: 1_000 });
  const heard: unknown[] = [];
  port.onReceive((batch) => heard.push(...batch));
  const closed = new Promise<string>((resolve) => port.onClosed(resolve));
  return { port, heard, closed };
}

const ECHO = `channel.setEncoding('utf8'); let text = ''; channel.on('data', (piece) => {
  text += piece;
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    for (const part of [text.slice(0, 3), text.slice(3, end + 1)]) channel.write(part);
    text = text.slice(end + 1);
  }
});`;

t.test('messages go both ways in whole lines, however they are cut on their way', async (t) => {
  const { port, heard, closed } = start(t, ECHO);
  const messages = Array.from({ length: 50 }, (_, index) => ({ index, text: 'é\n'.repeat(index) }));
  port.send(messages, []);
  while (heard.length < messages.length) await new Promise((resolve) => setTimeout(resolve, 5));
  t.same(heard, messages);
  await port.close();
  t.equal(await closed, 'it was closed');
});

t.test('a process that says what nobody understands, or does not end a line, is ended', async (t) => {
  const nonsense = start(t, `channel.write('{"a":1}\\n<nonsense>\\n{"a":2}\\n');`);
  t.match(await nonsense.closed, /nobody understands/);
  t.same(nonsense.heard, [{ a: 1 }], 'and what it says after that is not heard');
  const endless = start(t, `setInterval(() => channel.write('x'.repeat(100)), 1);`);
  t.match(await endless.closed, /more than is believable/);
});

t.test('its end is told with its reason, and closing it then does no harm', async (t) => {
  const died = start(t, `process.kill(process.pid, 'SIGSEGV');`);
  t.equal(await died.closed, 'ended by SIGSEGV');
  died.port.send([{}], []);
  await died.port.close();
  const left = start(t, 'process.exit(7);');
  t.equal(await left.closed, 'exit code 7');
});

t.test('a program that cannot be started is gone at once', async (t) => {
  const child = launcher.start({ program: '/no/such/program', args: [], environment: {} });
  const port = portToProcess(child, { decode: JSON.parse, lineCharactersMax: 10 });
  t.match(await new Promise<string>((resolve) => port.onClosed(resolve)), /ENOENT/);
  await port.close();
});

t.test('an error of a listener at the end of the process is a warning, and has no further effect', async (t) => {
  const { port, closed } = start(t, 'process.exit(7);');
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  port.onClosed(() => {
    throw new Error('out of order');
  });
  t.equal(await closed, 'exit code 7');
  t.match(await warned, { message: 'Error: out of order' });
});
