import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import t from 'tap';
import { AS_FLEET } from '../run/sets.ts';
import { withoutNats } from '../support/nats-server.ts';

const CONFORMANCE = readdirSync('test/conformance')
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/conformance/${name}`);

for (const file of [...new Set([...CONFORMANCE, ...AS_FLEET])]) {
  t.test(`through an edge and a host: ${file}`, { skip: withoutNats() }, async (t) => {
    const { status, stdout } = spawnSync('npx', ['tap', 'run', '--jobs=1', '--timeout=600', '--reporter=tap', file], {
      env: { ...process.env, TESTED_AS: 'fleet' },
      encoding: 'utf8',
    });
    t.equal(status, 0, stdout.slice(-4_000));
  });
}
