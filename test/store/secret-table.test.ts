import t from 'tap';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { openTwice } from './open-store.ts';

t.test('a secret is 32 bytes, the same for all connections, another for each purpose', async (t) => {
  const [one, two] = openTwice(t);
  const secret = one.secrets.get('viewer-token');
  t.equal(secret.byteLength, 32);
  t.strictSame([...two.secrets.get('viewer-token')], [...secret]);
  t.notSame([...two.secrets.get('download')], [...secret]);
});

t.test('a secret outlives its process, and differs between installations', async (t) => {
  const dir = t.testdir({ a: {}, b: {} });
  const read = (folder: string) => {
    const store = new Store(databasePath(`${dir}/${folder}`));
    const secret = Buffer.from(store.secrets.get('p')).toString('hex');
    store.close();
    return secret;
  };
  t.equal(read('a'), read('a'));
  t.not(read('a'), read('b'));
});

t.test('a purpose has a name', async (t) => {
  const [store] = openTwice(t);
  t.throws(() => store.secrets.get(''), { code: 'SQLITE_CONSTRAINT_CHECK' });
});
