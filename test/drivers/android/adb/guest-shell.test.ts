import t from 'tap';
import { GuestShell } from '../../../../server/drivers/android/adb/guest-shell.ts';

type Output = () => AsyncGenerator<Uint8Array>;

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* says(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const hangs: Output = async function* () {
  await new Promise(() => undefined);
  yield Buffer.from('never');
};

const FOR_EVER: Output = async function* () {
  for (;;) yield Buffer.alloc(1_000, 'x');
};

/** A shell whose commands say what `output` says, over connections that are counted. */
function open(output: Output, connects = true) {
  const connections: { closed: boolean; disconnect(): void }[] = [];
  const commands: string[] = [];
  const client = {
    createAdb: () => {
      if (!connects) return new Promise(() => undefined);
      let disconnect = () => {};
      const disconnected = new Promise<void>((resolve) => {
        disconnect = resolve;
      });
      const connection = { closed: false, disconnect };
      connections.push(connection);
      const spawn = async ([command = '']: string[]) => {
        commands.push(command);
        const stdout = output();
        return { stdout, output: stdout, stderr: nothing(), exited: Promise.resolve(3), stdin: undefined };
      };
      return Promise.resolve({
        disconnected,
        close: async () => {
          connection.closed = true;
        },
        subprocess: { shellProtocol: { spawn }, noneProtocol: { spawn } },
      });
    },
  };
  return { shell: new GuestShell(client as never, 'emulator-5554'), connections, commands };
}

t.test('a command is one line of quoted words, and tells its output and its exit code', async (t) => {
  const { shell, commands } = open(() => says('hello'));
  t.same(await shell.run(['echo', "it's; $(id)"]), { exitCode: 3, output: 'hello' });
  t.same(commands, ["echo 'it'\\''s; $(id)'"]);
  await t.rejects(shell.must(['echo']), { name: 'DeviceFault', kind: 'failed', message: /ended with 3: hello/ });
  t.same(await shell.bytes(['screencap']), Buffer.from('hello'));
});

t.test('a connection is kept for many commands, and not for ever', async (t) => {
  const { shell, connections } = open(() => says(''));
  for (let count = 0; count < 1_500; count++) await shell.run(['true']);
  t.same(
    connections.map(({ closed }) => closed),
    [true, false],
  );
  shell.close();
  await new Promise((resolve) => setTimeout(resolve, 5));
  t.ok(connections.every(({ closed }) => closed));
});

t.test(
  'a command that hangs ends at its deadline, with its request, with its device, and with its shell',
  async (t) => {
    const { shell, connections } = open(hangs);
    await t.rejects(shell.run(['a'], { timeoutMs: 20 }), {
      name: 'DeviceFault',
      kind: 'unavailable',
      message: /20 ms/,
    });
    const abort = new AbortController();
    const aborted = shell.run(['a'], { signal: abort.signal });
    setTimeout(() => abort.abort(), 10);
    await t.rejects(aborted, { name: 'DeviceFault', kind: 'aborted' });
    await t.rejects(shell.run(['a'], { signal: AbortSignal.abort() }), { name: 'DeviceFault', kind: 'aborted' });
    const cut = shell.run(['a']);
    setTimeout(() => connections.at(-1)?.disconnect(), 10);
    await t.rejects(cut, { name: 'DeviceFault', kind: 'unavailable', message: /gone from adb/ });
    const closed = shell.run(['a']);
    setTimeout(() => shell.close(), 10);
    await t.rejects(closed, { name: 'DeviceFault', kind: 'unreachable' });
    await t.rejects(shell.run(['a']), { name: 'DeviceFault', kind: 'unreachable' });
    const deaf = open(hangs, false);
    await t.rejects(deaf.shell.run(['a'], { timeoutMs: 20 }), { name: 'DeviceFault', kind: 'unavailable' });
  },
);

t.test('a command that never stops talking is cut off at its bound', async (t) => {
  const { shell } = open(FOR_EVER);
  await t.rejects(shell.run(['a'], { outputBytesMax: 10_000 }), { name: 'DeviceFault', kind: 'nonsense' });
  await t.rejects(shell.bytes(['a'], { outputBytesMax: 10_000 }), { name: 'DeviceFault', kind: 'nonsense' });
});
