import { readdirSync } from 'node:fs';
import t from 'tap';
import { ROWS } from '../../server/certify/certify.ts';
import { admin } from '../support/admin-command.ts';
import { CertifyRun } from '../support/certify-run.ts';

for (const platform of ['ios', 'android'] as const) {
  t.test(`the virtual phone of ${platform} passes each row, and nothing is left`, async (t) => {
    const run = new CertifyRun(t.testdir(), [`virtual-${platform}:4`]);
    t.match(await run.ended, { code: 0 }, run.stdout + run.stderr);
    t.match(run.stdout, /^This is what certify touches:\n/);
    t.match(run.certificate, {
      entry: `virtual-${platform}:1`,
      passed: true,
      interrupted: false,
      versions: { service: /^\d+\.\d+\.\d+/, node: process.version, os: String },
      device: { platform, driver: 'virtual' },
      latencies: { service: { count: Number }, device: { count: Number }, inputToPicture: { count: 3 } },
    });
    t.same(
      run.outcomes,
      ROWS.map(({ id }) => [id, 'passed']),
    );
    t.same(run.foldersLeft, []);
  });
}

t.test('certify touches nothing without leave, and takes one device', async (t) => {
  const out = t.testdir();
  const run = (...args: string[]) => admin(out, 'certify', ...args, '--out', `${out}/none`);
  t.match(await run('virtual-ios'), { code: 2, stderr: /--yes/ });
  t.match(await run('--yes', 'virtual-ios:1,virtual-android:1'), {
    code: 2,
    stderr: /virtual-ios:1, virtual-android:1/,
  });
  t.match(await run('--yes', 'toaster:1'), { code: 2, stderr: /toaster/ });
  t.match(await run('--yes', 'virtual-ios', 'more'), { code: 2 });
  for (const option of ['--yes', '--device=iPhone']) {
    t.match(await admin(out, 'account', 'list', option), { code: 2, stderr: new RegExp(option.replace(/=.*/, '')) });
  }
  t.same(readdirSync(out), []);
});
