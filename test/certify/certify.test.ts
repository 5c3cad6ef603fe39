import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import t from 'tap';
import type { Certificate } from '../../server/certify/certificate.ts';
import { ROWS } from '../../server/certify/certify.ts';
import { admin } from '../support/admin-command.ts';

// A folder of its own for what is temporary: another run may be going on beside this one.
process.env.TMPDIR = t.testdir();

const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith('runcloud-certify-'));

for (const platform of ['ios', 'android'] as const) {
  t.test(`the virtual phone of ${platform} passes each row, and nothing is left`, async (t) => {
    const out = t.testdir();
    const { code, stdout, stderr } = await admin(out, 'certify', `virtual-${platform}:4`, '--yes', '--out', out);
    t.equal(code, 0, stdout + stderr);
    t.match(stdout, /^This is what certify touches:\n/);
    const certificate = JSON.parse(readFileSync(`${out}/certificate.json`, 'utf8')) as Certificate;
    t.match(certificate, {
      entry: `virtual-${platform}:1`,
      passed: true,
      interrupted: false,
      versions: { service: /^\d/, node: process.version, os: String },
      device: { platform, driver: 'virtual' },
      latencies: { service: { count: Number }, device: { count: Number }, inputToPicture: { count: 3 } },
    });
    t.same(
      certificate.rows.map(({ id, outcome }) => [id, outcome]),
      ROWS.map(({ id }) => [id, 'passed']),
    );
    t.same(foldersLeft(), []);
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
  t.match(await admin(out, 'account', 'list', '--yes'), { code: 2, stderr: /--yes/ });
  t.same(readdirSync(out), []);
});
