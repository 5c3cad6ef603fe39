import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { iosPackage } from '../support/ios-package.ts';
import type { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';
import { SLOW_PACKAGES } from '../support/slow-packages.ts';

/** As many as one account may have on their way. */
const SLOW_AT_ONCE = 8;
const UPLOADS = 30;
/** Several rounds, since other load on the machine may disturb one of them. */
const ROUNDS = 3;

async function upload(rest: RestClient, body: Uint8Array): Promise<number> {
  const startMs = performance.now();
  const response = await rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(body) });
  await response.text();
  return performance.now() - startMs;
}

const p99 = (all: readonly number[]): number =>
  [...all].sort((one, other) => one - other)[Math.floor(all.length * 0.99)] ?? 0;

for (const [what, make] of Object.entries(SLOW_PACKAGES)) {
  t.test(`an account that uploads ${what} delays no other one's uploads to twice their time`, async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const slow = await make();
    const sound = await iosPackage();
    const other = server.addAccount('other');
    // Starting is not reading: both processes are there before anything is measured.
    await Promise.all([upload(server.rest, slow), upload(server.rest, slow), upload(other.rest, sound)]);
    await upload(other.rest, sound);
    const series = async () => {
      const all: number[] = [];
      for (let index = 0; index < UPLOADS; index++) all.push(await upload(other.rest, sound));
      return p99(all);
    };
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await series();
      const flooding = { on: true };
      const flood = Array.from({ length: SLOW_AT_ONCE }, async () => {
        while (flooding.on) await upload(server.rest, slow);
      });
      await sleep(500);
      const beside = await series();
      flooding.on = false;
      await Promise.all(flood);
      ratios.push(beside / alone);
      t.comment(`p99 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside`);
    }
    t.ok(Math.min(...ratios) <= 2, ratios.map((ratio) => ratio.toFixed(2)).join(', '));
  });
}
