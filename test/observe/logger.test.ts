import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { createLogger, type LOG_LEVELS } from '../../server/observe/logger.ts';

function collect(level: (typeof LOG_LEVELS)[number]) {
  const lines: string[] = [];
  return { log: createLogger(level, { write: (line) => lines.push(line) }), lines };
}

t.test('a line is JSON with its level by name and an ISO time', async (t) => {
  const { log, lines } = collect('info');
  log.info({ sessionId: 'ses_1' }, 'started');
  t.match(JSON.parse(lines[0] ?? ''), { level: 'info', time: /^\d{4}-.*Z$/, sessionId: 'ses_1', msg: 'started' });
});

t.test('entries below the level are not written', async (t) => {
  const { log, lines } = collect('warn');
  log.info('x');
  log.warn('y');
  t.equal(lines.length, 1);
  const silent = collect('silent');
  silent.log.fatal('x');
  t.equal(silent.lines.length, 0);
});

t.test('no secret reaches the log under the names that secrets travel by', async (t) => {
  const { log, lines } = collect('trace');
  const canary = 'CANARY';
  const fields = ['authorization', 'cookie', 'key', 'apiKey', 'token', 'secret', 'signature', 'password'];
  for (const field of fields) {
    log.info({ [field]: canary }, 'top');
    log.info({ request: { [field]: canary } }, 'nested');
    log.info({ req: { headers: { [field]: canary } } }, 'header');
    log.info({ headers: { [field]: canary } }, 'header');
  }
  t.equal(lines.length, 4 * fields.length);
  for (const line of lines) t.notMatch(line, canary);
});

t.test('an address is logged without its query and fragment', async (t) => {
  const { log, lines } = collect('info');
  log.info({ url: '/s/ses_1?token=CANARY#x' }, 'a');
  log.info({ req: { url: '/s/ses_1#CANARY' } }, 'b');
  t.equal(JSON.parse(lines[0] ?? '').url, '/s/ses_1');
  t.equal(JSON.parse(lines[1] ?? '').req.url, '/s/ses_1');
});

t.test('lines go to standard error, and none is lost when the process exits', async (t) => {
  const module = JSON.stringify(join(process.cwd(), 'server/observe/logger.ts'));
  const code = `const { createLogger } = await import(${module});
    const log = createLogger('info');
    for (let n = 0; n < 1000; n += 1) log.info({ n }, 'line');
    process.exit(0);`;
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { encoding: 'utf8' });
  t.equal(run.stdout, '');
  t.equal(run.stderr.trim().split('\n').length, 1_000);
});
