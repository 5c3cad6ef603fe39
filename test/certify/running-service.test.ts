import { readdirSync } from 'node:fs';
import type { SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { ROWS } from '../../server/certify/certify.ts';
import { CertifyRun } from '../support/certify-run.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

/** Android devices of it are never ready, and its sessions with them stay `starting`. */
const HELD = new URL('../support/held-devices.mjs', import.meta.url).pathname;

/** A service as it runs by its defaults, limits of rate included, in a process of its own. */
async function startService(t: Test, devices: string, environment: Readonly<Record<string, string>> = {}) {
  const dataDir = temporaryDataDir();
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_DEVICES: devices,
    RUNCLOUD_LOG: 'error',
    ...environment,
  });
  t.teardown(async () => {
    program.signal('SIGKILL');
    await program.ended;
    dataDir.remove();
  });
  return new RestClient(await program.ready(), TEST_KEY);
}

const sessionsOf = async (rest: RestClient): Promise<readonly SessionRecord[]> =>
  (await rest.call<{ sessions: SessionRecord[] }>('GET', '/service/sessions')).body.sessions;

const certifyOn = ({ url }: RestClient, folder: string, ...args: readonly string[]) =>
  new CertifyRun(folder, [...args, '--url', url], { RUNCLOUD_API_KEY: TEST_KEY });

t.test('a device of a running service passes each row, and its sessions are released', async (t) => {
  const rest = await startService(t, 'virtual-ios:3');
  const others = await rest.createSession('ios');
  const folder = t.testdir();
  const run = certifyOn(rest, folder, 'ios', '--device', others.device.model);
  t.match(await run.ended, { code: 0 }, run.stdout + run.stderr);
  t.match(run.stdout, /^This is what certify touches:\n.*of http:\/\/127\.0\.0\.1.*account local/s);
  t.match(run.certificate, {
    entry: `ios, ${others.device.model} of ${rest.url}`,
    device: { platform: 'ios', driver: 'virtual' },
    versions: { service: /^\d+\.\d+\.\d+/ },
  });
  t.same(
    run.outcomes,
    ROWS.map(({ id }) => [id, 'passed']),
  );
  const [mine, own] = [await sessionsOf(rest), await rest.call('GET', `/service/sessions/${others.id}`)];
  const ofRun = mine.filter(({ labels }) => labels.purpose === 'certify');
  t.ok(ofRun.length >= 3, `${ofRun.length} sessions`);
  for (const { status, inactivityTimeoutMs } of ofRun) {
    t.match({ status, inactivityTimeoutMs }, { status: 'released', inactivityTimeoutMs: 120_000 });
  }
  t.match(own.body, { status: 'active' }, 'the session of somebody else goes on');
  t.same(run.foldersLeft, []);
});

t.test('after Ctrl-C the session of a running service is released, also one that is starting', async (t) => {
  const rest = await startService(t, 'virtual-ios:1,virtual-android:1', { NODE_OPTIONS: `--import=${HELD}` });
  const [folder, other] = [t.testdir({ a: {}, b: {} })].flatMap((made) => [`${made}/a`, `${made}/b`]);
  const active = certifyOn(rest, folder ?? '', 'ios');
  const starting = certifyOn(rest, other ?? '', 'android');
  await active.hasTried('A tap hits');
  while (!(await sessionsOf(rest)).some(({ platform }) => platform === 'android'));
  const statuses = async () => (await sessionsOf(rest)).map(({ platform, status }) => `${platform} ${status}`).sort();
  t.same(await statuses(), ['android starting', 'ios active']);
  for (const run of [active, starting]) {
    run.signal('SIGINT');
    t.same(await run.ended, { code: 130, signal: null }, run.stderr);
    t.match(run.certificate, { interrupted: true, passed: false });
  }
  t.same(await statuses(), ['android released', 'ios released']);
});

t.test('a running service is named by its address, a key and a platform', async (t) => {
  const rest = await startService(t, 'virtual-ios:1');
  const folder = t.testdir();
  const run = async (args: readonly string[], key?: string) => {
    const program = new CertifyRun(folder, args, { RUNCLOUD_API_KEY: key });
    return { ...(await program.ended), stderr: program.stderr };
  };
  t.match(await run(['ios', '--url', rest.url]), { code: 2, stderr: /RUNCLOUD_API_KEY/ });
  t.match(await run(['virtual-ios', '--url', rest.url], TEST_KEY), { code: 2, stderr: /ios or android/ });
  t.match(await run(['ios', '--url', 'somewhere'], TEST_KEY), { code: 2, stderr: /address/ });
  t.match(await run(['virtual-ios', '--device', 'iPhone']), { code: 2, stderr: /--url/ });
  t.match(await run(['ios', '--url', rest.url], 'a-key-that-nobody-has-made'), { code: 1, stderr: /key/i });
  t.match(await run(['ios', '--url', 'http://127.0.0.1:1'], TEST_KEY), { code: 1 });
  t.same(readdirSync(folder), []);
  t.same(await sessionsOf(rest), []);
});
