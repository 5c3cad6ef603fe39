import { existsSync } from 'node:fs';
import t from 'tap';
import { CertifyRun } from '../support/certify-run.ts';

// A folder of its own for what is temporary: another run beside this one would remove what a killed one has left.
const start = (folder: string) => new CertifyRun(folder, ['virtual-ios'], { TMPDIR: folder });

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  t.test(`after ${signal} everything is put back, and the certificate says that it was interrupted`, async (t) => {
    const folder = t.testdir();
    const run = start(folder);
    await run.hasTried('A tap hits');
    run.signal(signal);
    t.same(await run.ended, { code, signal: null }, run.stderr);
    t.same(run.foldersLeft, []);
    const { interrupted, passed, rows } = run.certificate;
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
  await killed.hasTried('A session gets');
  const [left = ''] = killed.foldersLeft;
  killed.signal('SIGKILL');
  t.match(await killed.ended, { signal: 'SIGKILL' });
  t.ok(existsSync(`${folder}/${left}/runcloud.db`));
  const next = start(folder);
  await next.hasTried('A session gets');
  t.notOk(existsSync(`${folder}/${left}`));
  next.signal('SIGTERM');
  await next.ended;
  t.same(next.foldersLeft, []);
});
