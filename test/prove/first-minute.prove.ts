import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { startBrowser } from '../support/browser.ts';

/** README's quick start in a clean clone, up to a phone in a browser: its steps, its time, and what the install takes. */

const STEPS_MAX = 4;

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const plain = Object.entries(process.env).filter(([name]) => !/^(RUNCLOUD|TAP|NODE_OPTIONS|npm_)/.test(name));
  return { ...Object.fromEntries(plain), ...more };
}

/** Packages and megabytes of what is installed in `folder`. */
function installed(folder: string) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly link?: boolean }>>;
  };
  const disk = execFileSync('du', ['-sm', 'node_modules'], { cwd: folder, encoding: 'utf8' });
  return { packages: Object.values(packages).filter(({ link }) => !link).length, mb: Number.parseInt(disk, 10) };
}

t.test('from a clone to a phone in a browser', async (t) => {
  const place = mkdtempSync(join(tmpdir(), 'runcloud-first-minute-'));
  t.teardown(() => rmSync(place, { recursive: true, force: true }));
  const [, block = ''] = /## Quick start[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const steps = block.trim().split('\n');
  t.ok(steps.length <= STEPS_MAX, `${steps.length} steps`);
  const browser = await startBrowser(t);
  const port = await freePort();

  const startedMs = performance.now();
  const seconds = () => Number(((performance.now() - startedMs) / 1_000).toFixed(1));
  // The service does not end; `exec` keeps the shell from staying between us and it.
  const lines = `set -eu\n${steps.join('\n')}`.replace('REPOSITORY_URL', resolve('.'));
  const shell = spawn('bash', ['-c', lines], {
    cwd: place,
    env: environment({ RUNCLOUD_PORT: String(port) }),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  t.teardown(() => void process.kill(-(shell.pid ?? 0), 'SIGTERM'));
  const link = await new Promise<string>((resolve, reject) => {
    let said = '';
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [found] = /http:\S+\/dashboard\/enter#\S+/.exec(said) ?? [];
      if (found !== undefined && said.includes('Another link')) resolve(found);
    });
    shell.once('exit', () => reject(new Error(`it ended: ${said}`)));
  });
  const linkSeconds = seconds();
  const page = await browser.newPage();
  await page.goto(link, { timeout: 120_000 });
  await page.getByRole('button', { name: /iPhone/ }).click();
  await page.locator('#app canvas').waitFor();
  const phoneSeconds = seconds();
  const development = installed(join(place, 'runcloud'));
  execFileSync('npm', ['prune', '--omit=dev', '--no-audit', '--no-fund'], {
    cwd: join(place, 'runcloud'),
    env: environment(),
  });
  const running = installed(join(place, 'runcloud'));
  t.comment(JSON.stringify({ steps: steps.length, linkSeconds, phoneSeconds, development, running }));
  t.ok(running.packages <= 300, `${running.packages} packages run the service`);
  t.ok(running.mb <= 350, `${running.mb} MB`);
  const [, packages, mb] =
    /installs what the service needs: (\d+) packages, (\d+) MB/.exec(readFileSync('README.md', 'utf8')) ?? [];
  t.equal(Number(packages), running.packages, 'README says how many');
  t.ok(Math.abs(Number(mb) - running.mb) <= 0.05 * running.mb, `README says how many megabytes: ${running.mb}`);
});
