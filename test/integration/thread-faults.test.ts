import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { saidBefore, serverProgram, temporaryDataDir } from '../support/server-process.ts';

const PRELOAD = new URL('../support/failing-threads.mjs', import.meta.url).pathname;

/** Lets the device's thread and the finisher of a service fail, ends the service, and gives the ids and what was logged. */
async function fail(t: Test, level: string) {
  const dataDir = temporaryDataDir();
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: level,
    RUNCLOUD_DEVICES: 'virtual-ios:1',
    NODE_OPTIONS: `--import=${PRELOAD}`,
  });
  t.teardown(() => {
    program.signal('SIGKILL');
    dataDir.remove();
  });
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const greeting = program.stderr.length;
  const session: SessionRecord = await rest.createSession('ios');
  const folder = `/service/ios/${session.id}/recordings`;
  const { body: recording } = await rest.call<RecordingRecord>('POST', folder);
  const stopped = await rest.call<RecordingRecord>('POST', `${folder}/${recording.id}/stop`);
  t.match(stopped.body, { status: 'failed', failure: { stage: 'finalize', code: 'storage_error' } });
  const call = await rest.interact(session, { requestId: 'fails', action: 'reload' });
  t.match(call.body, { requestId: 'fails', error: { message: /failed to carry out/ } });
  const crash = await rest.interact(session, { requestId: 'crashes', action: 'rotate', orientation: 'portrait' });
  t.match([crash.status, crash.body.requestId], [/^5|404/, 'crashes']);
  program.signal('SIGTERM');
  t.match(await program.ended, { code: 0 });
  await saidBefore();
  const { id: sessionId } = session;
  return { sessionId, recordingId: recording.id, said: program.stderr.slice(greeting) };
}

t.test(
  'faults of the devices and of the finisher are logged with their time and the ids that they are about',
  async (t) => {
    const { sessionId, recordingId, said } = await fail(t, 'error');
    const lines = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) t.match(line, { level: 'error', time: /^\d{4}-\d\d-\d\dT.*Z$/, msg: /./ });
    const about = (words: RegExp) => lines.filter((line) => words.test(JSON.stringify(line)));
    t.match(about(/broken finisher/), [{ sessionId, recordingId, stage: 'finalize', cause: /TypeError.*\.tmp/ }]);
    t.match(about(/broken device/), [{ sessionId, requestId: 'fails', call: 'perform', cause: /TypeError/ }]);
    t.match(about(/broken thread/), [{ thread: 'host', err: { message: 'broken thread' } }]);
    t.match(about(/exit code/), [{ sessionId, reason: 'exit code 1' }]);
  },
);

t.test('a service that is to be silent is so in every thread', async (t) => {
  const { said } = await fail(t, 'silent');
  t.equal(said, '');
});
