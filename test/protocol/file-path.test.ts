import t from 'tap';
import { checkChangeFileQuery, checkFileQuery, checkFolderQuery } from '../../protocol/device-files.ts';
import { filePathFault } from '../../protocol/file-path.ts';
import { HOSTILE_NAMES, REFUSED_PATHS } from '../support/hostile-names.ts';

t.test('every name is taken as it is', async (t) => {
  for (const name of HOSTILE_NAMES) {
    for (const path of [name, `${name}/${name}`, `folder/${name}`].filter((path) => Buffer.byteLength(path) <= 1_000)) {
      t.equal(filePathFault(path), undefined, JSON.stringify(path));
      t.same(checkFileQuery({ root: 'shared', path }), { ok: true, value: { root: 'shared', path } });
    }
  }
});

t.test('what is no path below a root is refused, and the message says why', async (t) => {
  for (const [path, why] of REFUSED_PATHS) {
    t.match(filePathFault(path), why, JSON.stringify(path));
    t.match(checkFileQuery({ path }), { ok: false, fault: { path: 'path' } }, JSON.stringify(path));
    t.match(checkFolderQuery({ path }), { ok: false, fault: { path: 'path' } });
  }
  t.match(filePathFault('a\ud800b'), /surrogate/);
  t.match(filePathFault(''), /names no file/);
});

t.test(
  'the root is the shared folder if none is named; only the folder of a list may be the root itself',
  async (t) => {
    t.same(checkFolderQuery({}), { ok: true, value: { root: 'shared', path: '' } });
    t.match(checkFileQuery({}), { ok: false, fault: { path: 'path' } });
    t.match(checkFileQuery({ path: '' }), { ok: false, fault: { path: 'path', message: /names no file/ } });
    t.same(checkChangeFileQuery({ root: 'app:com.example.a', path: 'x', force: 'true' }), {
      ok: true,
      value: { root: 'app:com.example.a', path: 'x', force: 'true' },
    });
    for (const root of [
      '',
      'app:',
      'app:-rf',
      'app:a/b',
      'app:$(id)',
      'Shared',
      '/',
      'shared/..',
      `app:${'a'.repeat(300)}`,
    ]) {
      t.match(checkFolderQuery({ root }), { ok: false, fault: { path: 'root' } }, root);
    }
    t.match(checkFolderQuery({ force: 'true' }), { ok: false, fault: { path: 'force' } });
  },
);
