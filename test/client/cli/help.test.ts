import { execFileSync, spawnSync } from 'node:child_process';
import t from 'tap';
import { ACTION_COMMANDS } from '../../../client/cli/action-commands.ts';
import { commandLine } from '../../support/command-line.ts';

const COMMANDS = [
  'login',
  'logout',
  'account',
  'keys create',
  'keys list',
  'keys revoke',
  'keys revoke-all',
  'tokens list',
  'tokens revoke',
  'session create',
  'session get',
  'session list',
  'session delete',
  'session use',
  'ls',
  'tap',
  ...Object.values(ACTION_COMMANDS).map(({ name }) => name),
  'install',
  'screenshot',
  'open-url',
  'clipboard get',
  'clipboard set',
  'logs',
  'media add',
  'files ls',
  'files pull',
  'files push',
  'files rm',
  'record start',
  'record status',
  'record list',
  'record stop',
  'record download',
  'record poster',
  'app upload',
  'app list',
  'app delete',
  'view',
  'links create',
  'links list',
  'links revoke',
  'watch',
  'history',
  'run',
  'replay',
  'doctor',
  'hosts',
  'completion',
  'version',
];

const help = (...args: readonly string[]) => commandLine([...args, '--help'], { stateFolder: '/nonexistent' });

t.test('the help of the whole command is as it was', async (t) => {
  const { code, stdout, stderr } = await help();
  t.match([code, stderr], [0, '']);
  t.matchSnapshot(stdout);
});

t.test('the help of every command fits each terminal; what can be typed as it stands is not broken', async (t) => {
  for (const columns of [60, 80, 200]) {
    for (const command of COMMANDS) {
      const args = [...command.split(' '), '--help'];
      const { stdout } = await commandLine(args, {
        stateFolder: '/nonexistent',
        isTerminal: true,
        columns,
        env: { NO_COLOR: '1' },
      });
      for (const line of stdout.split('\n')) {
        t.ok(line.length <= columns || line.includes('$ runcloud'), `${columns} columns, ${command}: ${line}`);
      }
    }
  }
});

t.test('the help of every command is as it was, with examples', async (t) => {
  for (const command of COMMANDS) {
    const { code, stdout } = await help(...command.split(' '));
    t.equal(code, 0);
    t.match(stdout, new RegExp(`^Usage: runcloud ${command} `));
    t.match(stdout, new RegExp(`Examples:\n  \\$ runcloud ${command}`));
    t.matchSnapshot(stdout, command);
  }
});

t.test('the command alone is its help, and so is help', async (t) => {
  const whole = await help();
  for (const args of [[], ['help'], ['-h']]) {
    t.match(await commandLine(args, { stateFolder: '/nonexistent' }), { ...whole, bytes: Buffer }, args.join());
  }
  for (const path of [['session'], ['session', 'create'], ['tap']]) {
    const asked = await commandLine(['help', ...path], { stateFolder: '/nonexistent' });
    t.equal(asked.stdout, (await help(...path)).stdout);
    t.match(asked.stdout, new RegExp(`^Usage: runcloud ${path.join(' ')} `));
  }
});

t.test('the version is the one of the package', async (t) => {
  for (const args of [['version'], ['--version'], ['-V'], ['version', '--json']]) {
    const { code, stdout } = await commandLine(args, { stateFolder: '/nonexistent' });
    t.match([code, stdout], [0, args.length === 2 ? '{"version":"1.2.3"}\n' : '1.2.3\n']);
  }
});

const completion = async (shell: string) =>
  (await commandLine(['completion', shell], { stateFolder: '/nonexistent' })).stdout;

t.test('bash completes commands, options and files', async (t) => {
  const script = await completion('bash');
  const complete = (...words: readonly string[]): string[] => {
    const list = words.map((word) => JSON.stringify(word)).join(' ');
    const line = `${script}\nCOMP_WORDS=(runcloud ${list}); COMP_CWORD=${words.length}; _runcloud; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-uc', line], { encoding: 'utf8' }).trim().split('\n');
  };
  t.same(complete('se'), ['session']);
  t.same(complete('session', ''), ['create', 'get', 'list', 'delete', 'use', '--help']);
  t.same(complete('session', 'create', '--hard'), ['--hard-timeout']);
  t.same(complete('record', 'download', '--o'), ['--output']);
  t.same(complete('app', 'upload', 'package.j'), ['package.json']);
  const first = complete('');
  for (const command of COMMANDS) t.ok(first.includes(command.split(' ')[0] ?? ''), command);
});

for (const shell of ['zsh', 'fish']) {
  const absent = spawnSync(shell, ['--version']).error !== undefined;
  t.test(`${shell} understands its script`, { skip: absent && `${shell} is absent` }, async (t) => {
    const input = await completion(shell);
    t.same(spawnSync(shell, ['-n'], { input, encoding: 'utf8' }).stderr, '');
  });

  t.test(`the script of ${shell} names every command`, async (t) => {
    const script = await completion(shell);
    for (const command of COMMANDS) for (const word of command.split(' ')) t.match(script, word);
  });
}
