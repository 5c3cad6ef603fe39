import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Certificate } from '../../server/certify/certificate.ts';
import { Program } from '../support/server-process.ts';

const start = (folder: string) =>
  new Program('server/admin.ts', ['certify', 'virtual-ios', '--yes', '--out', `${folder}/out`], { TMPDIR: folder });

/** Folders with the data of a service that certifies. */
const dataOf = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('runcloud-certify-'));

async function untilTried(run: Program, row: string): Promise<void> {
  while (run.running && !run.stdout.includes(row)) await sleep(20);
  if (!run.stdout.includes(row)) throw new Error(`it ended: ${run.stdout}${run.stderr}`);
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  t.test(`after ${signal} everything is put back, and the certificate says that it was interrupted`, async (t) => {
    const folder = t.testdir();
    const run = start(folder);
    await untilTried(run, 'A tap hits');
    run.signal(signal);
    t.same(await run.ended, { code, signal: null }, run.stderr);
    t.same(dataOf(folder), []);
    const { interrupted, passed, rows } = JSON.parse(
      readFileSync(`${folder}/out/certificate.json`, 'utf8'),
    ) as Certificate;
    t.match({ interrupted, passed }, { interrupted: true, passed: false });
    t.ok(
      rows.every(({ outcome }) => outcome === 'passed'),
      'what the interruption broke is not held against the device',
    );
  });
}

t.test('the next run removes the files of a killed one', async (t) => {
  const folder = t.testdir();
  const killed = start(folder);
  await untilTried(killed, 'A session gets');
  const [left = ''] = dataOf(folder);
  killed.signal('SIGKILL');
  t.match(await killed.ended, { signal: 'SIGKILL' });
  t.ok(existsSync(`${folder}/${left}/runcloud.db`));
  const next = start(folder);
  await untilTried(next, 'A session gets');
  t.notOk(existsSync(`${folder}/${left}`));
  next.signal('SIGTERM');
  await next.ended;
  t.same(dataOf(folder), []);
});
