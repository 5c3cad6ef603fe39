import { join } from 'node:path';
import type { RecordingDetails, RecordingRecord } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { proveKills } from '../support/prove-kills.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

t.test('a server that is killed at any moment of a recording loses at most its last second', async (t) => {
  // The long form is test/prove/recording-kill.prove.ts.
  await proveKills(t, { count: 4, seed: 11, laterKillsMax: 1, folder: join(t.testdir(), 'data') });
});

t.test('a drain finalizes what is recorded, and the process ends with 0 in time', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const paths: string[] = [];
  for (const platform of ['ios', 'ios', 'android'] as const) {
    const session = await rest.createSession(platform);
    const path = `/service/${platform}/${session.id}/recordings`;
    const { status, body } = await rest.call<RecordingRecord>('POST', path);
    t.equal(status, 201);
    paths.push(`${path}/${body.id}`);
  }
  const signalledMs = performance.now();
  program.signal('SIGTERM');
  t.strictSame(await program.ended, { code: 0, signal: null });
  t.ok(performance.now() - signalledMs < LIMITS.drainMsMax);
  const next = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.teardown(() => next.signal('SIGKILL'));
  const later = new RestClient(await next.ready(), TEST_KEY);
  for (const path of paths) {
    const { body } = await later.call<RecordingDetails>('GET', path);
    t.equal(body.status, 'ready');
    t.notOk(
      body.events.some(({ type }) => type === 'recovered'),
      'it was finished before the exit',
    );
    t.equal((await later.fetch(body.downloadUrl ?? '')).headers.get('content-type'), 'video/mp4');
  }
});
