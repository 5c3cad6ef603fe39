import t from 'tap';
import { temporaryDataDir } from '../support/server-process.ts';
import { proveSnapshotKills } from '../support/snapshot-kills.ts';

t.test(
  'a snapshot whose service is killed while it is made is whole or absent, and outlives the service',
  async (t) => {
    // The long form is test/prove/snapshot.prove.ts.
    const { path, remove } = temporaryDataDir();
    t.teardown(remove);
    await proveSnapshotKills(t, 3, path);
  },
);
