import t from 'tap';
import { ROWS } from '../../server/certify/certify.ts';
import { withoutBrowser } from '../support/browser.ts';
import { CertifyRun } from '../support/certify-run.ts';

const NOT_OFFERED: readonly string[] = [
  'apps',
  'location',
  'text-size',
  'slow-network',
  'photos',
  'permissions',
  'push',
  'biometric',
  'files',
  'logs',
  'snapshot',
];

const DISPLAYS = new URL('../support/browser-devices.mjs', import.meta.url).pathname;

t.test(
  'a device with a real browser, which has no apps, no location and no snapshots, passes each row, by the page that is served to it',
  { skip: withoutBrowser },
  async (t) => {
    const out = t.testdir();
    const run = new CertifyRun(out, ['virtual-android'], { NODE_OPTIONS: `--import ${DISPLAYS}` });
    t.match(await run.ended, { code: 0 }, run.stdout + run.stderr);
    t.match(run.certificate.device, { osVersion: 'Chromium' });
    t.same(
      run.outcomes,
      ROWS.map(({ id }) => [id, NOT_OFFERED.includes(id) ? 'not offered' : 'passed']),
      run.stdout,
    );
  },
);
