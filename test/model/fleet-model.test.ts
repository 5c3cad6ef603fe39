import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

/** Goes through every order of the steps in `fleet.pml`, by `spin`, which makes a program in C that does. */

const MODEL = fileURLToPath(new URL('fleet.pml', import.meta.url));
/** Complete, and without the search for cycles, which no promise of the model needs. */
const SEARCH = ['-O2', '-DSAFETY', '-DCOLLAPSE', '-DMEMLIM=1000'];
/** The shortest way to what is wrong. */
const SHORTEST = ['-O2', '-DSAFETY', '-DCOLLAPSE', '-DMEMLIM=1000', '-DBFS'];
const DEPTH_MAX = 100_000;

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;
const missing = ['spin', 'gcc'].filter(isMissing);
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;

const folder = mkdtempSync(join(tmpdir(), 'runcloud-model-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/** What a program prints. Rejects if it fails. */
function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const add = (bytes: Buffer) => {
      printed += bytes.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${program} ended with ${code}:\n${printed}`));
    });
  });
}

/** Searches the model, and returns what the search says. */
async function search(cwd: string, how: readonly string[], macros: readonly string[]): Promise<string> {
  await run(cwd, 'spin', '-a', ...macros, MODEL);
  await run(cwd, 'gcc', ...how, '-w', '-o', 'pan', 'pan.c');
  return run(cwd, './pan', `-m${DEPTH_MAX}`);
}

/** The steps to what is wrong, each as one line. */
async function stepsTo(cwd: string, macros: readonly string[]): Promise<readonly string[]> {
  const printed = await run(cwd, 'spin', '-t', '-k', 'fleet.pml.trail', ...macros, MODEL);
  const lines = printed.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line) => line.startsWith('spin: '));
  return lines.slice(0, end).filter((line) => line !== '');
}

const temporary = () => mkdtempSync(join(folder, 'search-'));

/** Of a search that went to its end. */
function isComplete(said: string): boolean {
  const isCut = /max search depth too small|out of memory|reached -DMEMLIM|Search not completed|truncated|too many/i;
  return !isCut.test(said) && /^Full statespace search for:/m.test(said) && /^\s*[\d.e+]+ states, stored/m.test(said);
}

t.test('a fleet keeps its promises in every order of events', { skip }, async (t) => {
  const said = await search(temporary(), SEARCH, []);
  t.match(said, /errors: 0$/m, 'no promise was broken');
  t.ok(isComplete(said), 'nothing was left out', { said });
  for (const fact of [/.*states, stored/, /depth reached \d+/, /elapsed time .*/]) t.comment(fact.exec(said)?.[0]);
});

const VARIANTS: Readonly<Record<string, RegExp>> = {
  WITHOUT_EPOCHS: /assertion violated.*epochOf/,
  WITHOUT_FRAME_NUMBERS: /assertion violated.*(effects|client)/,
  WITHOUT_IDS: /assertion violated.*effects/,
  WITHOUT_ENDS: /assertion violated/,
  WITHOUT_NEWEST: /assertion violated/,
  WITHOUT_LOST: /assertion violated.*client/,
  WITHOUT_RESTARTED: /assertion violated/,
};

for (const [variant, broken] of Object.entries(VARIANTS)) {
  t.test(`${variant}: a promise is broken, and that is found`, { skip }, async (t) => {
    const cwd = temporary();
    const macros = [`-D${variant}`];
    const said = await search(cwd, SHORTEST, macros);
    t.match(said, /errors: 1$/m, 'a promise was broken');
    t.match(said, broken, 'it is the promise that the variant endangers');
    const steps = await stepsTo(cwd, macros);
    t.ok(steps.length > 2, 'the way there is told');
    for (const step of steps) t.comment(step);
    t.comment(/assertion violated .*/.exec(said)?.[0]);
  });
}
