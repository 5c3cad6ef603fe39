import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import t from 'tap';
import { startServer } from '../support/server.ts';
import { saidBefore } from '../support/server-process.ts';

/** A newcomer's clone: the same files in a folder of its own, where the data directory will lie. */
function cloneInto(folder: string): string {
  for (const name of readdirSync('.')) {
    if (!name.startsWith('.')) symlinkSync(resolve(name), join(folder, name));
  }
  return folder;
}

/** README's blocks of this language, in order. Those of `console` need what not every machine has, and nobody runs them. */
const blocksOf = (file: string, language: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , block = '']) => block);

/** README's lines know no variables, so none of this process's may reach them. */
function newcomersEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RUNCLOUD|TAP)/.test(name)));
}

/** README's own port, or a free one where another server has that already. */
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

async function startAsNewcomer(folder: string, port: number, start: string) {
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

const runInShell = (folder: string, lines: string, env: NodeJS.ProcessEnv) =>
  new Promise<string>((done, reject) => {
    const options = { cwd: folder, env: { ...newcomersEnvironment(), ...env }, maxBuffer: 16 * 1_048_576 };
    execFile('bash', ['-eu', '-o', 'pipefail', '-c', lines], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else done(stdout);
    });
  });

/** The part of a picture of Notes in which its first lines stand. */
const textOf = (png: Buffer | string): Promise<Buffer> =>
  sharp(png).extract({ left: 20, top: 200, width: 500, height: 120 }).removeAlpha().raw().toBuffer();

/** Pictures of Notes with these texts, from a device that was told nothing else; a caret blinks in them. */
async function notesWith(text: string, platform: 'ios' | 'android', y: number) {
  const server = await startServer();
  const { id } = await server.rest.createSession(platform);
  const session = { id, platform } as Parameters<typeof server.rest.interact>[0];
  await server.rest.interact(session, { action: 'tap', x: 0.39, y });
  await server.rest.interact(session, { action: 'typeText', text });
  const picture = async () => {
    const response = await server.rest.fetch(`/service/${platform}/${id}/screenshot?settled=true`);
    return textOf(Buffer.from(await response.arrayBuffer()));
  };
  const shows = async (file: string) => {
    const shown = await textOf(file);
    for (let look = 0; look < 8; look++) if (shown.equals(await picture())) return true;
    return false;
  };
  return { shows, close: () => server.close() };
}

const probe = (file: string): { seconds: number; faults: string } => {
  const seconds = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file]);
  const faults = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], { encoding: 'utf8' });
  return { seconds: Number(seconds), faults };
};

t.test("README's blocks work as they stand, from top to bottom in one shell", { timeout: 300_000 }, async (t) => {
  const folder = cloneInto(t.testdir());
  const port = await choosePort();
  const [quickStart = '', ...blocks] = blocksOf('README.md', 'sh');
  const [clone, enter, install, start = ''] = quickStart.trim().split('\n');
  t.strictSame([clone, enter, install], ['git clone REPOSITORY_URL runcloud', 'cd runcloud', 'npm ci']);
  const server = await startAsNewcomer(folder, port, start);
  t.teardown(() => server.stop());
  const [printed = ''] = /export RUNCLOUD_API_KEY=rck_\w+/.exec(server.log()) ?? [];
  const lines = blocks.join('\n').replace('export RUNCLOUD_API_KEY=rck_...', printed).replaceAll('8787', String(port));
  t.ok(printed && lines.includes(printed), 'README says where the printed key goes');
  const said = await runInShell(folder, lines, {
    XDG_CONFIG_HOME: folder,
    RUNCLOUD_BASE_URL: `http://127.0.0.1:${port}`,
  });
  t.match(said, /"action":"tap".*"action":"typeText".*"characterCount":15/s, 'curl');
  t.match(said, /^ios completed\nandroid completed$/m, 'the program');
  t.match(said, /"url":"sample:\/\/hello"/, 'the sample app');
  t.match(said, /"status":"ready".*"status":"released"/s, 'the recording');
  t.match(said, /\/dashboard\/enter#rcl_\w+\n.*\/dashboard\/welcome#\w+\n.*"user_code"/s, 'the ways to sign in');
  for (const [text, platform, y, files] of [
    ['Hello from curl', 'ios', 0.92, ['screenshot.png']],
    ['Hello from the command line', 'ios', 0.92, ['hello.png']],
    ['Hello from the SDK', 'ios', 0.92, ['ios.png']],
    ['Hello from the SDK', 'android', 0.84, ['android.png']],
  ] as const) {
    const notes = await notesWith(text, platform, y);
    for (const file of files) t.ok(await notes.shows(join(folder, file)), `${file} shows Notes with "${text}"`);
    if (text === 'Hello from curl')
      t.notOk(await notes.shows(join(folder, 'hello.png')), 'another text is another picture');
    await notes.close();
  }
  const { seconds, faults } = probe(join(folder, 'recording.mp4'));
  t.ok(seconds >= 2, `the recording takes ${seconds} s`);
  t.equal(faults, '', 'it plays');

  // The client's README, with its own names of files, in the same way: its commands in one shell, its program in one file.
  const env = { RUNCLOUD_API_KEY: printed.split('=')[1], RUNCLOUD_BASE_URL: `http://127.0.0.1:${port}` };
  const commands = blocksOf('client/README.md', 'sh').join('\n').replace('hello.png', 'client.png');
  t.match(await runInShell(folder, commands, { ...env, XDG_CONFIG_HOME: folder }), /"line":2.*\n.*released/s);
  const program = blocksOf('client/README.md', 'ts').join('\n');
  const keepPicture = "(await import('node:fs')).writeFileSync('program.png', png);\nprocess.exit();\n";
  writeFileSync(join(folder, 'program.mts'), `${program}\n${keepPicture}`);
  const stages = (await runInShell(folder, 'node --import tsx program.mts', env)).match(
    /^(accepted|dispatched|result)$/gm,
  );
  t.strictSame(
    stages,
    ['accepted', 'dispatched', 'result'],
    'the stages of a tap, among the events that came meanwhile',
  );
  for (const [text, file] of [
    ['Hello from the command line', 'client.png'],
    ['Hello from the SDK', 'program.png'],
  ] as const) {
    const notes = await notesWith(text, 'ios', 0.92);
    t.ok(await notes.shows(join(folder, file)), `${file} shows Notes with "${text}"`);
    await notes.close();
  }
  await server.stop();

  const again = await startAsNewcomer(folder, port, start);
  t.teardown(() => again.stop());
  t.notMatch(again.log(), /rck_|rcl_/, 'key and link are shown on the first start only');
  t.match(again.log(), /account sign-in local/);
  await again.stop();
});

t.test('README shows a phone in a browser within its first lines', async (t) => {
  const top = readFileSync('README.md', 'utf8').split('\n').slice(0, 30).join('\n');
  const [, picture = ''] = /!\[[^\]]*browser[^\]]*\]\(([^)]+)\)/.exec(top) ?? [];
  t.ok(existsSync(picture));
  const { pages = 1, delay = [] } = await sharp(picture, { pages: -1 }).metadata();
  t.ok(pages > 5 && delay.length === pages, 'it moves');
  t.match(top, /npm start\n```/, 'and how to get there');
});
