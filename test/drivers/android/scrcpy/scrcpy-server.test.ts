import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ScrcpyServer, serverCommand } from '../../../../server/drivers/android/scrcpy/scrcpy-server.ts';

t.test('a server is started as its version wants it, with bounds, and with its own clean-up', async (t) => {
  t.same(serverCommand('3.3.4', '0012abcd').slice(0, 6), [
    'CLASSPATH=/data/local/tmp/runcloud-scrcpy-server.jar',
    'app_process',
    '/',
    'com.genymobile.scrcpy.Server',
    '3.3.4',
    'scid=0012abcd',
  ]);
  const options = serverCommand('4.1', '0012abcd').slice(5);
  for (const option of ['audio=false', 'tunnel_forward=true', 'cleanup=true', 'max_size=2560', 'max_fps=60']) {
    t.ok(options.includes(option), option);
  }
  t.ok(
    options.every((option) => /^[a-z_]+=[a-z0-9]+$/.test(option)),
    'nothing that a shell would take apart',
  );
});

const says = (text: string) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(text));
      controller.close();
    },
  });

/** A device on which a server ends with these words. */
function deviceOn(t: Test, words: string) {
  const path = join(t.testdir({ 'scrcpy-server-v4.1': 'PK' }), 'scrcpy-server-v4.1');
  const pushed: string[] = [];
  let closed = false;
  const spawn = async () => ({
    stdout: says(''),
    stderr: says(words),
    exited: Promise.resolve(1),
    kill: () => undefined,
  });
  const adb = {
    subprocess: { shellProtocol: { spawn } },
    sync: async () => ({
      write: async ({ filename }: { filename: string }) => void pushed.push(filename),
      dispose: async () => undefined,
    }),
    createSocket: async () => {
      throw new Error('closed');
    },
    close: async () => {
      closed = true;
    },
  };
  const start = () => ScrcpyServer.start(adb as never, { path, version: '4.1', form: 4 });
  return { start, pushed, closed: () => closed };
}

for (const [words, message] of [
  [
    '[server] INFO: Device: x\n[server] ERROR: Exception on thread main\njava.lang.IllegalArgumentException: The server version (4.0) does not match the client (4.1)\n\tat com.genymobile',
    /server version \(4\.0\) does not match the client \(4\.1\)\.$/,
  ],
  ['Error: could not find or load main class\n', /could not find or load main class\.$/],
  ['Killed', /ended: Killed\.$/],
  ['', /^scrcpy's server ended\.$/],
  ['[server] INFO: Device: x\n[server] WARN: Could not inject char u+e003\n', /^scrcpy's server ended\.$/],
  [`${'\u001b[31m'.repeat(2_000)}\n`, /^scrcpy's server ended[ -~…]*\.$/],
] as const) {
  t.test(`a server that ends with ${JSON.stringify(words.slice(0, 30))} is told in its own words`, async (t) => {
    const { start, pushed, closed } = deviceOn(t, words);
    await t.rejects(start(), { name: 'DeviceFault', kind: 'unavailable', message });
    t.same(pushed, ['/data/local/tmp/runcloud-scrcpy-server.jar']);
    t.ok(closed(), 'its connection ends with it');
  });
}

t.test('a file that is gone by then is told', async (t) => {
  const { start } = deviceOn(t, '');
  t.testdir({});
  await t.rejects(start(), { name: 'DeviceFault', kind: 'unavailable', message: /cannot be started/ });
});
