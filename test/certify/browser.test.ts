import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Certificate } from '../../server/certify/certificate.ts';
import { ROWS } from '../../server/certify/certify.ts';
import { withoutBrowser } from '../support/browser.ts';
import { Program } from '../support/server-process.ts';

const DISPLAYS = new URL('../support/browser-devices.mjs', import.meta.url).pathname;

t.test(
  'a device with a real browser passes each row, by the page that is served to it',
  { skip: withoutBrowser },
  async (t) => {
    const out = t.testdir();
    const run = new Program('server/admin.ts', ['certify', 'virtual-android', '--yes', '--out', out], {
      NODE_OPTIONS: `--import ${DISPLAYS}`,
    });
    t.match(await run.ended, { code: 0 }, run.stdout + run.stderr);
    const { rows, device } = JSON.parse(readFileSync(`${out}/certificate.json`, 'utf8')) as Certificate;
    t.match(device, { model: 'Chromium' });
    t.same(
      rows.map(({ id, outcome }) => [id, outcome]),
      ROWS.map(({ id }) => [id, 'passed']),
      run.stdout,
    );
  },
);
