import type { RecordingDetails, SessionRecord } from '@runcloud/protocol';
import pg from 'pg';
import t from 'tap';
import { startKillableFleet } from '../support/fleet.ts';
import { FLEET_ENVIRONMENT } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { until } from '../support/until.ts';

const DEVICES = { RUNCLOUD_DEVICES: 'virtual-android:2' };

t.test(
  'what hosts have to tell while the database is away waits with them, and is there soon after it is back',
  { skip: withoutNats() || withoutPostgres() },
  async (t) => {
    const fleet = await startKillableFleet(FLEET_ENVIRONMENT, [DEVICES], 2);
    t.teardown(() => fleet.close());
    const { postgres } = fleet;
    if (!postgres) throw new Error('there is no database');
    const rest = new RestClient(fleet.url, TEST_KEY);
    const running = await rest.createSession('android');
    await postgres.stop();

    // The credential is known, the devices are with the host: all of this goes on.
    const ended: SessionRecord[] = [];
    const recordings: RecordingDetails[] = [];
    for (let index = 0; index < 3; index++) {
      const session = await rest.createSession('android');
      const path = `/service/android/${session.id}/recordings`;
      const { body } = await rest.call<RecordingDetails>('POST', path);
      t.match((await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 })).body, { status: 'completed' });
      await rest.call('POST', `${path}/${body.id}/stop`);
      const at = async () => (await rest.call<RecordingDetails>('GET', `${path}/${body.id}`)).body;
      await until(async () => (await at()).status === 'ready', 'the recording is ready');
      recordings.push(await at());
      await rest.releaseSession(session.id);
      ended.push(session);
    }

    await postgres.start();
    const backAtMs = Date.now();
    const kept = async (table: string, id: string): Promise<string | undefined> => {
      const { rows } = await client.query<{ content: { content: string } }>(
        'SELECT content FROM runcloud_row WHERE table_name = $1 AND row_key = $2',
        [table, id],
      );
      return rows[0]?.content.content;
    };
    const client = new pg.Client(postgres.url);
    await client.connect();
    t.teardown(() => client.end());
    for (const { id } of ended) {
      await until(async () => /"released"/.test((await kept('host_session', id)) ?? ''), 'the end is in the database');
    }
    for (const { id, checksum = '' } of recordings) {
      await until(
        async () => ((await kept('host_recording', id)) ?? '').includes(checksum.replace('sha256:', '')),
        'the recording is in the database',
      );
    }
    t.comment(`all is told ${Date.now() - backAtMs} ms after the database is back`);
    t.match((await rest.interact(running, { action: 'tap', x: 0.5, y: 0.5 })).body, { status: 'completed' });
  },
);
