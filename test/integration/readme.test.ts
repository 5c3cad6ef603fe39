import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { iosPackage } from '../support/ios-package.ts';
import { decodePng } from '../support/picture.ts';
import { saidBefore } from '../support/server-process.ts';

/** A newcomer's clone: the same files in a folder of its own, where the data directory will lie. */
function cloneInto(folder: string): string {
  for (const name of readdirSync('.')) {
    if (!name.startsWith('.')) symlinkSync(resolve(name), join(folder, name));
  }
  return folder;
}

/** The shell blocks that follow a heading of README, as one. */
function shellBlock(heading: string): string {
  const section = readFileSync('README.md', 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('');
}

/** README's lines know no variables, so none of this process's may reach them. */
function newcomersEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RUNCLOUD|TAP)/.test(name)));
}

/** README's own port, or a free one where somebody's server has that already. */
async function choosePort(): Promise<number> {
  const isFree = (port: number) =>
    new Promise<number | undefined>((done) => {
      const probe = createServer();
      probe.once('error', () => done(undefined));
      probe.listen(port, '127.0.0.1', () => {
        const { port: taken } = probe.address() as AddressInfo;
        probe.close(() => done(taken));
      });
    });
  return (await isFree(8787)) ?? (await isFree(0)) ?? 0;
}

async function startAsNewcomer(folder: string, port: number) {
  const [, start = ''] = shellBlock('Start').trim().split('\n');
  // A group of its own, so that npm and its child end together.
  const env = { ...newcomersEnvironment(), ...(port === 8787 ? {} : { RUNCLOUD_PORT: String(port) }) };
  const server = spawn('bash', ['-c', start], { cwd: folder, env, detached: true });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const lines = createInterface({ input: server.stdout });
  const ready = new Promise<void>((done, reject) => {
    lines.on('line', (line) => line === `RunCloud listening on http://127.0.0.1:${port}` && done());
    server.once('exit', () => reject(new Error(`the server did not start: ${log}`)));
  });
  await ready;
  await saidBefore();
  return {
    log: () => log,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      process.kill(-(server.pid ?? 0), 'SIGTERM');
      await exited;
    },
  };
}

const runBlock = (folder: string, block: string, more: NodeJS.ProcessEnv = {}) =>
  new Promise<string>((done, reject) => {
    const env = { ...newcomersEnvironment(), ...more };
    execFile('bash', ['-euc', block], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else done(stdout);
    });
  });

t.test("README's lines work as they stand: on a first start, and with what an earlier one left behind", async (t) => {
  const folder = cloneInto(t.testdir());
  const port = await choosePort();
  const onPort = (heading: string) => shellBlock(heading).replaceAll('8787', String(port));
  const first = onPort('First session').trim().split('\n');
  // Later blocks use the session that the last line of the first block releases, so that line comes last.
  writeFileSync(join(folder, 'MyApp.ipa'), await iosPackage());
  const blocks = ['Open a URL', 'Apps'].map((heading) => onPort(heading).trim());
  const lines = [...first.slice(0, -1), ...blocks, ...first.slice(-1)].join('\n');
  for (const attempt of ['first', 'second'] as const) {
    const server = await startAsNewcomer(folder, port);
    t.teardown(() => server.stop());
    t.equal(/rck_/.test(server.log()), attempt === 'first', `the key is shown on the first start only (${attempt})`);
    const answers = await runBlock(folder, lines);
    const objects = answers
      .replaceAll('}{', '}\n{')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.match(objects, [
      { ok: true, action: 'tap', status: 'completed', result: { pointCount: 1 } },
      { ok: true, action: 'typeText', status: 'completed', result: { characterCount: 15 } },
      { ok: true, url: 'https://example.com/welcome?from=curl', sessionId: /^ses_/, leaseId: /^lse_/ },
      { status: 'released', releaseReason: 'requested', installAssets: [/^ast_\w{22}$/] },
    ]);
    const { width, height, at } = await decodePng(readFileSync(join(folder, 'screenshot.png')));
    t.same([width, height], [590, 1280]);
    t.equal(at(300, 700), '#ffffff', 'the notes have opened');
    const [makeKey = '', makeApi = ''] = lines.split('\n');
    const recorded = await runBlock(folder, [makeKey, makeApi, onPort('Recordings')].join('\n'));
    t.match(recorded, /"action":"tap".*"status":"ready".*"status":"released"/s);
    // ISO/IEC 14496-12: a file begins with its type.
    t.equal(readFileSync(join(folder, 'recording.mp4')).toString('latin1', 4, 8), 'ftyp');
    if (attempt === 'first') {
      const [key = ''] = lines.trim().split('\n');
      const ours = { RUNCLOUD_BASE_URL: `http://127.0.0.1:${port}`, XDG_CONFIG_HOME: folder };
      const printed = await runBlock(folder, `${key}\n${shellBlock('Command line and SDK')}`, ours);
      const [created, tap, type, shot, released, program, ...rest] = printed.trim().split('\n');
      t.match(
        [created, tap, type, shot, released],
        [
          /^ses_\w+ {2}ios {2}active/,
          /^tap completed in/,
          /^typeText completed in/,
          /hello\.png \(\d/,
          /^ses_\w+ {2}ios {2}released/,
        ],
      );
      t.same([program, rest], ['completed true', []]);
    }
    await server.stop();
    // A build of an earlier version lying around changes nothing.
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'main.js'), 'process.exit(7);\n');
  }
});
