import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { makeReadOnly, withoutMounts } from '../support/troubled-disk.ts';

interface Case {
  readonly what: string;
  /** Spoils the data directory; what it returns is called in the end. */
  readonly spoil: (dataDir: string) => undefined | (() => void);
  /** Below the data directory. */
  readonly named: string;
  readonly told: RegExp;
  readonly skip?: string | false;
}

const cases: readonly Case[] = [
  {
    what: 'a database that is none',
    spoil: (dataDir) => void writeFileSync(join(dataDir, 'runcloud.db'), 'x'.repeat(8_192)),
    named: 'runcloud.db',
    told: /it is no database; move it away/,
  },
  {
    what: 'a folder in the place of the database',
    spoil: (dataDir) => void mkdirSync(join(dataDir, 'runcloud.db')),
    named: 'runcloud.db',
    told: /cannot be opened/,
  },
  {
    what: 'a file in the place of the uploads',
    spoil: (dataDir) => void writeFileSync(join(dataDir, 'assets'), ''),
    named: 'assets',
    told: /a file is where a folder has to be/,
  },
  {
    what: 'a file in the place of the recordings',
    spoil: (dataDir) => void writeFileSync(join(dataDir, 'recordings'), ''),
    named: 'recordings',
    told: /a file is where a folder has to be/,
  },
  {
    what: 'a lock file that cannot be one',
    spoil: (dataDir) => void mkdirSync(join(dataDir, 'server.lock')),
    named: 'server.lock',
    told: /cannot be opened/,
  },
  {
    what: 'a folder that cannot be written',
    spoil: (dataDir) => makeReadOnly(dataDir),
    named: '',
    told: /cannot be (opened|written)|this user may not/,
    skip: withoutMounts(),
  },
];

for (const { what, spoil, named, told, skip = false } of cases) {
  t.test(`${what} stops the start with one line that names it and says what to do`, { skip }, async (t) => {
    const dataDir = temporaryDataDir();
    const mend = spoil(dataDir.path);
    t.teardown(() => {
      mend?.();
      dataDir.remove();
    });
    const program = serverProgram(dataDir.path);
    t.strictSame(await program.ended, { code: 1, signal: null });
    t.equal(program.stdout, '');
    const [line = '', ...rest] = program.stderr.split('\n');
    t.strictSame(rest, ['']);
    t.ok(line.startsWith(`runcloud: cannot start: ${join(dataDir.path, named)}`), line);
    t.match(line, told);
  });
}

t.test('a data directory that is a file stops the start, and the admin command, in the same way', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const file = join(dataDir.path, 'file');
  writeFileSync(file, '');
  const program = serverProgram(file);
  t.strictSame(await program.ended, { code: 1, signal: null });
  const told = `${file}: a file is where a folder has to be; move it away or use another data directory (EEXIST)\n`;
  t.equal(program.stderr, `runcloud: cannot start: ${told}`);
  const admin = spawnSync(process.execPath, ['server/run.mjs', 'admin', 'account', 'list'], {
    env: { ...process.env, RUNCLOUD_DATA_DIR: file },
    encoding: 'utf8',
  });
  t.strictSame([admin.status, admin.stderr], [1, told]);
});
