import t from 'tap';
import { execute } from '../../support/built-package.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';

/** Modules of Node.js, and packages, that take long to load. */
const SLOW = ['internal/deps/undici/undici', 'http2', 'tls', 'https', 'ws', 'cli-progress', 'yaml', 'tsx', 'esbuild'];

const LISTER = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => {
    const packages = Object.keys(cache).map((path) => 'Package ' + path.split('/node_modules/').at(-1).split('/')[0]);
    process._rawDebug([...process.moduleLoadList, ...packages].join('\\n'));
  });
`)}`;

const loadedBy = async (args: readonly string[], env: object = {}) => {
  const { stdout, stderr } = await execute(process.execPath, ['--import', LISTER, 'client/bin/runcloud.js', ...args], {
    env,
  });
  return { stdout, names: stderr.split('\n').map((line) => line.replace(/^\w+ /, '')) };
};

t.test('a short command loads nothing that takes long', async (t) => {
  const service = await startScriptedHttp(t, (_request, response) => answerJson(response, 200, { sessions: [] }));
  const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_BASE_URL: service.url };
  // The first call after a change of the sources bundles them.
  await loadedBy(['version']);
  for (const args of [['version'], ['session', 'list', '--json']]) {
    const { stdout, names } = await loadedBy(args, env);
    t.match(stdout, args[0] === 'version' ? /^\d/ : '{"sessions":[]}\n');
    t.ok(names.includes('commander'), 'the packages that were loaded are known');
    t.same(
      SLOW.filter((name) => names.includes(name)),
      [],
      args.join(' '),
    );
  }
  t.equal(service.seen.length, 1);
});
