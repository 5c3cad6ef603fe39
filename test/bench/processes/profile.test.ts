import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PROFILE_DIR } from '../../../bench/processes/profile.ts';
import { Service } from '../../../bench/processes/service.ts';
import { formatProfiles } from '../../../bench/report/profiles.ts';

const TAPS = 300;

/** Has services profiled for as long as the test runs, to a folder of its own. */
function profileDir(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'runcloud-profile-'));
  process.env[PROFILE_DIR] = dir;
  t.teardown(() => {
    delete process.env[PROFILE_DIR];
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

t.test('a service that is profiled tells where its threads’ time and memory went', async (t) => {
  const dir = profileDir(t);
  const service = await Service.start();
  try {
    const session = await service.createSession('ios');
    for (let tap = 0; tap < TAPS; tap++)
      await service.post(session.interactionsPath, { action: 'tap', x: 0.5, y: 0.5 });
  } finally {
    await service.stop();
  }
  const files = readdirSync(dir);
  for (const kind of ['gateway.cpuprofile', 'gateway.heapprofile']) {
    t.ok(
      files.some((file) => file.endsWith(kind)),
      kind,
    );
  }
  t.ok(
    files.some((file) => /-thread-\d+\.cpuprofile$/.test(file)),
    'the device’s thread has one of its own',
  );
  const text = formatProfiles(dir);
  t.match(text, /-gateway: \d+\.\d\d s of processor time\n\nfunction/);
  t.match(text, /-gateway: \d+ MB allocated\n\nfunction/);
  t.match(text, /interaction\/|rest\/|socket\//, 'the service’s own functions are named');
});

t.test('nothing is written for a service that had no session', async (t) => {
  const dir = profileDir(t);
  await (await Service.start()).stop();
  t.same(readdirSync(dir), []);
  t.match(formatProfiles(dir), /profiles are in/);
});
