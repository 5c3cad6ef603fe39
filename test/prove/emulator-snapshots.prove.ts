import type { Acknowledgement, SessionRecord, SnapshotRecord } from '@runcloud/protocol';
import t from 'tap';
import { emulatorHost } from '../support/android/emulator-host.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';

/** Longer than a device is waited for that does not answer. */
const SAVE_MS = 25_000;
const SESSIONS = 5;

t.test('an emulator that writes its memory for long is not taken for lost', async (t) => {
  const host = emulatorHost(['Pixel_8'], SAVE_MS);
  const { path, remove } = temporaryDataDir();
  const program = serverProgram(path, {
    ...host.tools,
    RUNCLOUD_DEVICES: 'android-emulator:Pixel_8',
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'error',
  });
  t.teardown(async () => {
    program.signal('SIGTERM');
    await program.ended;
    host.remove();
    remove();
  });
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const session = await sessionInTime({ rest }, 'android');
  const type = (to: SessionRecord, text: string) => rest.interact(to, { action: 'typeText', text });
  await rest.interact(session, { action: 'launchApp', app: 'com.standin.notes' });
  await type(session, 'Kept');
  const snapshots = `/service/android/${session.id}/snapshots`;
  t.equal((await rest.call<SnapshotRecord>('POST', snapshots, { name: 'slow' })).status, 201);
  t.match(await type(session, ' and more'), { status: 200 }, 'the session goes on');

  const ended = rest.call<Acknowledgement>('POST', snapshots, { name: 'cut' });
  await rest.releaseSession(session.id);
  t.not((await ended).status, 201, 'the end of a session ends what it keeps');
  for (let number = 1; number <= SESSIONS; number++) {
    const from = await sessionInTime({ rest }, 'android', { snapshot: 'slow' });
    const { body } = await rest.call('GET', `/service/android/${from.id}/ui`);
    t.match(JSON.stringify(body), /Kept"/, `session ${number} begins with it`);
    t.match(await type(from, ' again'), { status: 200 });
    await rest.releaseSession(from.id);
  }
  t.match(await rest.call('GET', '/service/snapshots'), { body: { snapshots: [{ name: 'slow' }] } });
});
