import { join } from 'node:path';
import t from 'tap';
import { OAuth } from '../../../../client/cli/sign-in/oauth.ts';
import { commandLine, failureOf } from '../../../support/command-line.ts';
import { startPouringService } from '../../../support/pouring-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
/** More than the buffers of both ends of a connection hold, and far less than an answer of 300 MB. */
const TAKEN_BYTES_MAX = 16_000_000;

const CALLS: Readonly<Record<string, (oauth: OAuth) => Promise<unknown>>> = {
  begin: (oauth) => oauth.begin('laptop', new AbortController().signal),
  poll: (oauth) => oauth.poll('device', new AbortController().signal),
  refresh: (oauth) => oauth.refresh('refresh'),
  revoke: (oauth) => oauth.revoke('refresh'),
};

for (const [name, headers] of [
  ['without an end', JSON_TYPE],
  ['of 300 MB', { ...JSON_TYPE, 'Content-Length': '300000000' }],
] as const) {
  for (const status of [200, 400]) {
    t.test(`an answer ${name} with status ${status} is refused, and read no further`, async (t) => {
      for (const [what, call] of Object.entries(CALLS)) {
        const { url, poured, seen } = await startPouringService(t, status, headers);
        await t.rejects(call(new OAuth(url)), { code: 'invalid_response', detail: /longer than 65536 bytes/ }, what);
        t.ok(poured.bytes < TAKEN_BYTES_MAX, `${what}: ${poured.bytes} bytes`);
        t.equal(seen.length, 1, 'asked once');
      }
    });
  }

  t.test(`a sign-in tells of an answer ${name}`, async (t) => {
    const { url, poured } = await startPouringService(t, 200, headers);
    const stateFolder = join(t.testdir({}), 'state');
    const finished = await commandLine(['login'], { env: { RUNCLOUD_BASE_URL: url }, stateFolder });
    t.match([finished.code, failureOf(finished)], [1, { error: { code: 'invalid_response', message: /longer than/ } }]);
    t.ok(poured.bytes < TAKEN_BYTES_MAX, `${poured.bytes} bytes`);
  });
}
