import t, { type Test } from 'tap';
import { commandLine, failureOf } from '../../support/command-line.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';

const COUNT = 5;
const ITEM = {
  platform: 'ios',
  status: 'ready',
  createdAt: '2026-01-02T03:04:05.006Z',
  name: 'Demo',
  identifier: 'com.example',
  version: '1',
  byteSize: 9,
  device: { model: 'Virtual Phone', osVersion: '1' },
};

/** A service whose every list has five items and gives two, or `limit`, at a time. */
async function commands(t: Test) {
  const { url, seen } = await startScriptedHttp(t, ({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname === '/service/sessions/ses_1') return answerJson(response, 200, { id: 'ses_1', platform: 'ios' });
    const start = Number(searchParams.get('cursor')?.slice(3) ?? 0);
    const end = Math.min(COUNT, start + Number(searchParams.get('limit') ?? 2));
    const items = Array.from({ length: end - start }, (_, n) => ({ ...ITEM, id: `id_${start + n}` }));
    const last = pathname.split('/').at(-1) ?? '';
    const name = last === 'viewer-links' ? 'viewerLinks' : last;
    answerJson(response, 200, { [name]: items, ...(end < COUNT ? { next: `to-${end}` } : {}) });
  });
  const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_BASE_URL: url, RUNCLOUD_SESSION: 'ses_1' };
  const stateFolder = t.testdir();
  return { seen, run: (...args: readonly string[]) => commandLine(args, { env, stateFolder }) };
}

const LISTS = [
  ['session', 'sessions'],
  ['record', 'recordings'],
  ['app', 'assets'],
  ['keys', 'keys'],
  ['tokens', 'tokens'],
  ['links', 'viewerLinks'],
] as const;

for (const [group, name] of LISTS) {
  t.test(`${group} list shows a page, says that there is more, and how to get it`, async (t) => {
    const { run } = await commands(t);
    const list = (...args: readonly string[]) => run(group, 'list', ...args);
    const lines = (await list()).stdout.trimEnd().split('\n');
    t.match(lines, [/^id_0 /, /^id_1 /, 'There are more: see all with --all, or the next with --cursor to-2']);
    t.equal(lines.length, 3);
    t.match((await list('--cursor', 'to-2', '--limit', '3')).stdout, /^id_2 .*\nid_3 .*\nid_4 .*\n$/);
    t.match((await list('--all')).stdout, /^id_0 (?:.*\n){5}$/);
    const ids = ({ stdout }: { readonly stdout: string }) => {
      const { [name]: items, ...rest } = JSON.parse(stdout);
      return [items.map(({ id }: { id: string }) => id), rest];
    };
    t.same(ids(await list('--json')), [['id_0', 'id_1'], { next: 'to-2' }]);
    t.same(ids(await list('--json', '--all')), [['id_0', 'id_1', 'id_2', 'id_3', 'id_4'], {}]);
  });

  t.test(`${group} list refuses wrong arguments before anything is sent`, async (t) => {
    const { run, seen } = await commands(t);
    for (const [args, named] of [
      [['--limit', '0'], /"limit" must be a whole number from 1 to/],
      [['--limit', 'many'], /"limit" must be/],
      [['--limit', '201'], /"limit" must be/],
      [['--cursor', '?'], /"cursor" must be/],
      [['--all', '--limit', '5'], /"--all" cannot be combined/],
      [['--all', '--cursor', 'x'], /"--all" cannot be combined/],
    ] as const) {
      const failed = await run(group, 'list', ...args);
      t.equal(failed.code, 2, args.join(' '));
      t.match(failureOf(failed), { error: { code: 'invalid_request', message: named } });
    }
    t.equal(seen.length, 0);
  });
}
