import { join } from 'node:path';
import t from 'tap';
import { findServerFile, serverVersion } from '../../../../server/drivers/android/scrcpy/server-file.ts';

const SERVER = 'PK\x03\x04 and so on';

t.test('the version is told by the name of the file, or by who has named it otherwise', async (t) => {
  t.same(serverVersion('/x/scrcpy-server-v3.3.4', undefined), { version: '3.3.4', form: 3 });
  t.same(serverVersion('/x/scrcpy-server-v4.1.jar', undefined), { version: '4.1', form: 4 });
  t.same(serverVersion('/x/server.jar', '4.0'), { version: '4.0', form: 4 });
  t.same(serverVersion('/x/scrcpy-server-v3.3', '3.3'), { version: '3.3', form: 3 });
});

t.test('a file with no version, two versions, or that of another protocol is refused with advice', async (t) => {
  t.match(serverVersion('/x/scrcpy-server', undefined), { why: /keep the name.*RUNCLOUD_SCRCPY_VERSION/ });
  t.match(serverVersion('/x/scrcpy-server-v3.3.4', '3.3.3'), { why: /3\.3\.4.*3\.3\.3/ });
  for (const version of ['2.7', '1.25', '5.0']) {
    t.match(serverVersion(`/x/scrcpy-server-v${version}`, undefined), { why: /3\.x or 4\.x/ }, version);
  }
  for (const told of ['', '4', 'v4.1', '4.1; id', '4.1.1.1', '$(id)']) {
    t.match(serverVersion('/x/server', told), { why: /the version is none/ }, told);
  }
});

t.test('a server is found, and anything else in its place is told with the remedy', async (t) => {
  const folder = t.testdir({
    'scrcpy-server-v4.1': SERVER,
    'scrcpy-server-v4.0': '<html>not found</html>',
    'scrcpy-server-v3.0': '',
    'scrcpy-server-v3.1': { 'a folder': '' },
  });
  t.equal(findServerFile({}), undefined);
  t.same(findServerFile({ RUNCLOUD_SCRCPY_SERVER: join(folder, 'scrcpy-server-v4.1') }), {
    path: join(folder, 'scrcpy-server-v4.1'),
    version: '4.1',
    form: 4,
  });
  for (const [name, why] of [
    ['scrcpy-server-v4.0', /is no server of scrcpy: download scrcpy-server-v4\.0/],
    ['scrcpy-server-v3.0', /is no server/],
    ['scrcpy-server-v3.1', /cannot be read/],
    ['scrcpy-server-v3.2', /cannot be read: download scrcpy-server-v3\.2 from https/],
    ['other', /its version is not known/],
  ] as const) {
    t.throws(
      () => findServerFile({ RUNCLOUD_SCRCPY_SERVER: join(folder, name) }),
      { name: 'DeviceFault', kind: 'unavailable', message: why },
      name,
    );
  }
  t.throws(() => findServerFile({ RUNCLOUD_SCRCPY_SERVER: 'scrcpy-server-v4.1' }), { message: /absolute/ });
  t.throws(() => findServerFile({ RUNCLOUD_SCRCPY_VERSION: '4.1' }), { message: /SERVER is not/ });
});
