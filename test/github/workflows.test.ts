import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { HELPERS } from '../../server/drivers/ios/find-helper.ts';
import { nodeFault } from '../../server/node-version.ts';
import { NEWER_NODES, SETS } from '../run/sets.ts';
import { faultsOf, type Job, readWorkflow, type Step, workflowTexts } from '../support/read-workflow.ts';

const texts = workflowTexts();
const CI = '.github/workflows/ci.yml';
const REAL_DEVICES = '.github/workflows/real-devices.yml';
const textOf = (path: string) => texts.get(path) ?? '';
const jobsOf = (path: string) => readWorkflow(textOf(path)).jobs;
const jobs = [...texts.keys()].flatMap((path) => Object.entries(jobsOf(path)).map(([id, job]) => ({ path, id, job })));
const steps = jobs.flatMap(({ path, id, job }) => job.steps.map((step) => ({ place: `${path}, ${id}`, job, step })));

interface Package {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
}
const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

t.test('the workflows are what GitHub takes, by its own parser and schema', async (t) => {
  t.same([...texts.keys()].sort(), [CI, REAL_DEVICES]);
  for (const [path, text] of texts) t.same(await faultsOf(path, text), [], path);
});

const BROKEN: readonly (readonly [sound: string, broken: string, fault: RegExp])[] = [
  ['runs-on:', 'run-on:', /Unexpected value 'run-on'/],
  ['timeout-minutes: 60', 'timeout-minutes: long', /Unexpected value 'long'/],
  ['matrix.api', 'matrx.api', /Unrecognized named-value: 'matrx'/],
  ['if: always()', 'if: always(', /Unexpected end of expression/],
  ['cron: 23 3 * * 1', 'cron: every Monday', /Invalid cron/],
  ['    steps:', '   steps:', /must start at the same column/],
  ['  contents: read', '  content: read', /Unexpected value 'content'/],
];

t.test('a broken workflow is found out', async (t) => {
  for (const [sound, broken, fault] of BROKEN) {
    const text = textOf(REAL_DEVICES).replace(sound, broken);
    t.not(text, textOf(REAL_DEVICES));
    t.match((await faultsOf('broken.yml', text)).join('\n'), fault, broken);
  }
});

t.test('a job may only read, ends in time, and stands on its own in its matrix', async (t) => {
  for (const [path, text] of texts) {
    const { permissions, concurrency } = readWorkflow(text);
    t.same(permissions, { contents: 'read' }, path);
    t.ok(concurrency, path);
  }
  for (const { path, id, job } of jobs) {
    t.ok(Number.isInteger(job['timeout-minutes']), `${path}, ${id}`);
    t.equal(job.permissions, undefined, 'no more than the workflow');
    t.equal(job.strategy?.['fail-fast'], false, 'one failure does not hide another');
  }
});

t.test('every action is pinned to a commit, whose version stands beside it', async (t) => {
  const uses = [...texts.values()].flatMap((text) => text.match(/uses:.*/g) ?? []);
  t.equal(uses.length, steps.filter(({ step }) => step.uses !== undefined).length);
  for (const line of uses) t.match(line, /^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const commits = new Map<string, string>();
  for (const line of uses) {
    const [, action = '', commit = ''] = /^uses: (\S+)@(\S+)/.exec(line) ?? [];
    t.equal(commits.get(action) ?? commit, commit, `${action} has one version`);
    commits.set(action, commit);
  }
  for (const { place, step } of steps) {
    if (step.uses?.startsWith('actions/checkout@')) t.equal(step.with?.['persist-credentials'], false, place);
  }
});

/** Why a step's `run` is not one command that this repository has; `undefined` where it is. */
function commandFault(run: string): string | undefined {
  if (run.includes('\n') || /[;|&<>`]|\$\(/.test(run)) return 'more than one command';
  const [program = '', ...words] = run.replace(/^env -u CI /, '').split(' ');
  if (program.startsWith('.github/scripts/')) {
    try {
      accessSync(program, constants.X_OK);
      return undefined;
    } catch {
      return 'no executable script';
    }
  }
  if (run === 'npx tap build') return undefined;
  if (program !== 'npm') return 'neither npm nor a script of the repository';
  const [verb = '', script = '', set = ''] = words;
  if (verb === 'ci' || (verb === 'test' && 'test' in scripts)) return undefined;
  if (verb !== 'run' || !(script in scripts)) return 'no script of package.json';
  return script === 'tests' && !(SETS as readonly string[]).includes(set) ? 'no set of tests' : undefined;
}

t.test('every `run` is one command, of npm or a script of the repository', async (t) => {
  const runs = steps.flatMap(({ place, step }) => (step.run === undefined ? [] : [{ place, run: step.run }]));
  t.ok(runs.length > 10);
  for (const { place, run } of runs) t.equal(commandFault(run), undefined, `${place}: ${run}`);
  for (const run of [
    'npm ci && npm test',
    'npm ci\nnpm test',
    '.github/scripts/none.sh',
    '.github/scripts/common.sh',
    'npm run none',
    'npm run tests none',
    'make',
  ]) {
    t.not(commandFault(run), undefined, run);
  }
});

t.test('a text of the matrix that has spaces is one word for the shell', async (t) => {
  for (const { step } of steps) t.notMatch(step.run ?? '', /[^"]\$\{\{ matrix\.xcode\.device \}\}/);
});

t.test('every script is used, stops at the first failure, and is what bash takes', async (t) => {
  const names = readdirSync('.github/scripts').filter((name) => name !== 'common.sh');
  const used = steps.flatMap(({ step }) => /^\.github\/scripts\/(\S+)/.exec(step.run ?? '')?.[1] ?? []);
  t.same([...new Set(used)].sort(), names.sort());
  for (const name of [...names, 'common.sh']) {
    const path = `.github/scripts/${name}`;
    t.match(spawnSync('bash', ['-n', path], { encoding: 'utf8' }), { status: 0, stderr: /^$/ }, name);
    if (name !== 'common.sh')
      t.match(readFileSync(path, 'utf8'), /^#!\/usr\/bin\/env bash\n(#.*\n)+set -euo pipefail\n/);
  }
});

/** As a workflow writes it. */
const expression = (text: string) => `\${{ ${text} }}`;

const versionsOf = ({ strategy, steps }: Job): unknown[] => {
  const [asked] = steps.flatMap((step: Step) => step.with?.['node-version'] ?? []);
  return asked === expression('matrix.node') ? [...(strategy?.matrix.node ?? [])] : [asked];
};

t.test(
  'the tests run on every line of Node.js that `engines` supports, whole on the oldest, on Linux and macOS',
  async (t) => {
    const { whole, versions } = jobsOf(CI);
    if (!whole || !versions) throw new Error('no such jobs');
    const all = [...versionsOf(whole), ...versionsOf(versions)].map(Number);
    const [, oldest = ''] = /^>=(\d+)\.\d+$/.exec(engines.node) ?? [];
    t.same(versionsOf(whole), [Number(oldest)]);
    t.same(versionsOf(versions).map(String), NEWER_NODES);
    for (const version of all) t.equal(nodeFault(`v${version}.99.0`, engines.node), undefined);
    for (const job of [whole, versions]) t.same(job.strategy?.matrix.os, ['ubuntu-latest', 'macos-latest']);
    const runs = (job: Job) => job.steps.flatMap(({ run = '' }) => run);
    const parts = ['npm ci', '.github/scripts/start-service.sh', 'npm test', 'npm run tests rest'];
    for (const part of parts) t.ok(runs(whole).includes(part), part);
    t.ok(runs(versions).includes('npm run tests nodes'));
  },
);

t.test(
  'each real device is certified by the entry that its script has handed on, and the certificate is kept in any case',
  async (t) => {
    const { android, ios } = jobsOf(REAL_DEVICES);
    t.same(android?.strategy?.matrix, { api: [30, 34, 36] });
    t.equal(ios?.strategy?.matrix.xcode?.length, 2);
    t.same([...(ios?.strategy?.matrix.helper ?? [])].sort(), [...HELPERS].sort());
    for (const job of [android, ios]) {
      const [create, doctor, certify, keep] = job?.steps.slice(-4) ?? [];
      t.match(create, { id: 'device', run: /^\.github\/scripts\/create-(emulator|simulator)\.sh / });
      t.equal(doctor?.run, 'npm run admin -- doctor');
      t.equal(certify?.run, 'npm run admin -- certify "$ENTRY" --yes --out certificate');
      t.same(certify?.env, { ENTRY: expression('steps.device.outputs.entry') });
      t.match(keep, { if: 'always()', uses: /^actions\/upload-artifact@/, with: { path: 'certificate' } });
      for (const name of Object.keys(job?.strategy?.matrix ?? {}))
        t.match(String(keep?.with?.name), `matrix.${name}`, 'no two artefacts have one name');
    }
    t.same(Object.keys(readWorkflow(textOf(REAL_DEVICES)).on), ['workflow_dispatch', 'schedule']);
  },
);

t.test('the command that certifies is one that the service has: only the entry is wrong here', async (t) => {
  const command = jobsOf(REAL_DEVICES).android?.steps.find(({ name }) => name === 'Certify it')?.run ?? '';
  const { PATH = '' } = process.env;
  const env = { PATH, ENTRY: 'nonsense:1', npm_config_update_notifier: 'false' };
  const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', env });
  t.equal(status, 2);
  t.match(stderr, 'RUNCLOUD_DEVICES is "nonsense:1"');
});

t.test('it is said that nobody has run them on GitHub', async (t) => {
  for (const [path, text] of texts) t.match(text, /^# Nobody has run this on GitHub yet\./, path);
  t.match(readFileSync('README.md', 'utf8'), 'Nobody has run them on GitHub yet');
});
