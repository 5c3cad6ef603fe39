import t from 'tap';
import { commandLine } from '../../support/command-line.ts';
import { REFUSED_PATHS } from '../../support/hostile-names.ts';

t.test('what is no path below a root is refused before anything is asked, by every command about files', async (t) => {
  const env = { RUNCLOUD_API_KEY: 'rck_none', RUNCLOUD_BASE_URL: 'http://127.0.0.1:1' };
  const stateFolder = t.testdir();
  // A program is never given a NUL.
  for (const [path, why] of REFUSED_PATHS.filter(([path]) => !path.includes('\0'))) {
    for (const words of [['ls'], ['pull'], ['rm'], ['push', 'package.json']]) {
      const { code, stderr } = await commandLine(['files', ...words, path], { env, stateFolder });
      t.equal(code, 2);
      t.match(
        JSON.parse(stderr),
        { ok: false, error: { code: 'invalid_request', message: why } },
        `${words[0]} ${path}`,
      );
    }
  }
});
