import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { startServer, TEST_KEY } from '../support/server.ts';

const SKILL = 'client/skills/runcloud/SKILL.md';
const text = readFileSync(SKILL, 'utf8');
const run = promisify(execFile);

/** A folder in which `runcloud` is a command, as it is for an agent. */
function shell(t: Test, more: NodeJS.ProcessEnv = {}) {
  const folder = t.testdir({ bin: {}, home: {} });
  const command = join(folder, 'bin', 'runcloud');
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${resolve('client/bin/runcloud.js')} "$@"\n`);
  chmodSync(command, 0o755);
  const { NODE_OPTIONS: _options, ...clean } = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(RUNCLOUD|TAP|XDG)/.test(name)),
  );
  const env = { ...clean, ...more, HOME: join(folder, 'home'), PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  return { folder, does: (lines: string) => run('bash', ['-eu', '-o', 'pipefail', '-c', lines], { cwd: folder, env }) };
}

t.test('its head is that of a skill, and its folder has its name', async (t) => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const { name, description, compatibility, ...rest } = parse(head) as Record<string, string>;
  t.equal(name, 'runcloud');
  t.ok(description && description.length <= 1_024);
  t.ok(compatibility && compatibility.length <= 500);
  t.same(Object.keys(rest), ['license']);
});

t.test('every command in it does what it says, in its order', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const { does } = shell(t, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url });
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  for (const block of blocks) {
    for (const line of block.trim().split('\n')) {
      t.ok(line.startsWith('runcloud '), line);
      const { stdout } = await does(line);
      if (/^runcloud (ui|view|apps|history|session list)/.test(line)) t.ok(stdout.trim(), `${line} tells something`);
    }
  }
  t.ok(blocks.length >= 8);
  const { body } = await server.rest.call<{ sessions: { status: string }[] }>('GET', '/service/sessions');
  t.ok(
    body.sessions.every(({ status }) => status !== 'active'),
    'it ends what it started',
  );
});

t.test('the command prints it as it is, and writes it into a folder of skills once', async (t) => {
  const { does, folder } = shell(t);
  t.equal((await does('runcloud skill')).stdout, text);
  await does('runcloud skill --install .agents/skills');
  const written = join(folder, '.agents/skills/runcloud/SKILL.md');
  t.equal(readFileSync(written, 'utf8'), text);
  writeFileSync(written, 'mine');
  await t.rejects(does('runcloud skill --install .agents/skills'), { code: 2, stderr: /is there already; --force/ });
  t.equal(readFileSync(written, 'utf8'), 'mine');
  await does('runcloud skill --install .agents/skills --force');
  t.equal(readFileSync(written, 'utf8'), text);
});
