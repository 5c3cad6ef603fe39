import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { buildPackage, execute, projectWith } from '../support/built-package.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/** README's test of an app, which has no pause, passes each time. */
const ROUNDS = Number(process.env.RUNCLOUD_ROUNDS ?? 20);

t.test(
  `README's test of Notes passes ${ROUNDS} times, one after the other`,
  { timeout: ROUNDS * 30_000 },
  async (t) => {
    const blocks = [...readFileSync('README.md', 'utf8').matchAll(/<<'END'\n([\s\S]*?)^END$/gm)].map(
      ([, block]) => block,
    );
    const [program = ''] = blocks.filter((block) => block?.includes('runcloud/expect'));
    t.ok(program.trim().split('\n').length <= 24, 'it is short');
    t.notMatch(program, /sleep|setTimeout|setInterval/);
    const server = await startServer();
    t.teardown(() => server.close());
    const folder = projectWith(await buildPackage(t));
    writeFileSync(join(folder, 'notes.mjs'), program);
    writeFileSync(
      join(folder, 'rounds.mjs'),
      `for (let round = 0; round < ${ROUNDS}; round++) await import(\`./notes.mjs?\${round}\`);`,
    );
    const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
    const options = { cwd: folder, env, maxBuffer: 64 * 1_048_576, timeout: ROUNDS * 30_000 };
    const { stdout } = await execute(process.execPath, ['--preserve-symlinks', 'rounds.mjs'], options);
    t.match(stdout, new RegExp(`^(?:#|ℹ) pass ${2 * ROUNDS}$`, 'm'));
    t.match(stdout, /^(?:#|ℹ) fail 0$/m);
  },
);
