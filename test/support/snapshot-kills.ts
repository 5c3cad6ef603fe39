import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionRecord, SnapshotList } from '@runcloud/protocol';
import type { Test } from 'tap';
import { RestClient } from './rest-client.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram } from './server-process.ts';

/** Longer than a few snapshots take. */
const KILLED_MS_MAX = 60;
const AT_ONCE = 8;

/**
 * Kills a service while snapshots are made, again and again with one data directory: each that it acknowledged is there, each that is
 * listed begins a session, and no file is left over.
 */
export async function proveSnapshotKills(t: Test, rounds: number, dataDir: string): Promise<void> {
  const acknowledged = new Set<string>();
  const files = () => readdirSync(join(dataDir, 'snapshots'));
  const figures = { acknowledged: 0, unheard: 0, orphans: 0 };
  for (let round = 0; round <= rounds; round++) {
    const left = round === 0 ? 0 : files().length;
    const program = serverProgram(dataDir, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' });
    t.teardown(() => program.signal('SIGKILL'));
    const rest = new RestClient(await program.ready(), TEST_KEY);
    const { snapshots } = (await rest.call<SnapshotList>('GET', '/service/snapshots?limit=200')).body;
    const names = new Set(snapshots.map(({ name }) => name));
    for (const name of acknowledged) t.ok(names.has(name), `round ${round}: ${name} was acknowledged and is there`);
    t.equal(files().length, snapshots.length, `round ${round}: each file is of a snapshot`);
    figures.orphans += left - snapshots.length;
    figures.unheard += snapshots.filter(({ name }) => !acknowledged.has(name)).length;
    for (const { name } of snapshots) {
      const path = '/service/sessions';
      const { status, body } = await rest.call<SessionRecord>('POST', path, { platform: 'ios', snapshot: name });
      t.equal(status, 201, `round ${round}: ${name} is whole`);
      await rest.releaseSession(body.id);
      await rest.call('DELETE', `/service/snapshots/${name}`);
    }
    acknowledged.clear();
    if (round < rounds) {
      const session = await rest.createSession('ios');
      await rest.interact(session, { action: 'launchApp', app: 'notes' });
      const make = async (name: string) => {
        const { status } = await rest.call('POST', `/service/ios/${session.id}/snapshots`, { name });
        if (status === 201) acknowledged.add(name);
      };
      const asked = Array.from({ length: AT_ONCE }, (_, index) => make(`s-${round}-${index}`).catch(() => undefined));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * KILLED_MS_MAX));
      program.signal('SIGKILL');
      await Promise.all(asked);
      figures.acknowledged += acknowledged.size;
    } else program.signal('SIGTERM');
    await program.ended;
  }
  t.comment(`${rounds} kills: ${JSON.stringify(figures)}`);
}
