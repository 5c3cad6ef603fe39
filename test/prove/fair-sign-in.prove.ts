import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { percentile } from '../screen/link-simulator.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { invite, PASSWORD, type Person, signIn } from '../support/people.ts';
import { startServer } from '../support/server.ts';

const PERSONS = 6;
/** Other load on the machine can only make times longer, so one good series is a proof. */
const SERIES = 3;
const ATTACKERS = 6;
/** By then a hostile account has used up what it may have before strangers. */
const WARM_UP_MS = 3_000;

const server = await startServer();
t.teardown(() => server.close());

/** The status of an attempt, as a proxy on this machine would pass it on from `address`. */
const attempt = async (browser: DashboardClient, email: string, password: string, address: string) =>
  (await signIn(browser, email, password, address)).status;

/** Everything that a hostile account and strangers can do to the entrance, until it is told to stop. */
function attack(eve: DashboardClient): () => Promise<void> {
  let on = true;
  let count = 0;
  const again = async (act: () => Promise<unknown>) => {
    while (on) {
      await act().catch(() => undefined);
      // Attackers that are refused at once would load this very process.
      await sleep(100);
    }
  };
  const strange = (address: string) => () =>
    attempt(new DashboardClient(server.url), `u${++count}@example.com`, 'wrong horse', address);
  const askForCode = () =>
    fetch(`${server.url}/oauth/device_authorization`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Forwarded-For': `198.51.100.${++count % 250}`,
      },
      body: 'client_id=runcloud-cli',
    }).then((response) => response.arrayBuffer());
  const all = [
    ...Array.from({ length: 4 }, () => again(() => attempt(eve, 'eve@example.com', PASSWORD, '203.0.113.66'))),
    ...Array.from({ length: ATTACKERS }, (_, n) => again(strange(`203.0.113.${n}`))),
    again(askForCode),
  ];
  return async () => {
    on = false;
    await Promise.all(all);
  };
}

t.test('a hostile account and strangers do not keep known browsers of others from signing in', async (t) => {
  const persons: Person[] = [];
  for (let n = 0; n < PERSONS; n++) persons.push(await invite(server, `ada${n}@example.com`));
  const { browser: eve } = await invite(server, 'eve@example.com');
  const times = async () => {
    const all: number[] = [];
    for (const { email, browser } of persons) {
      const startMs = performance.now();
      t.equal(await attempt(browser, email, PASSWORD, '192.0.2.1'), 200);
      all.push(performance.now() - startMs);
    }
    return percentile(all, 0.99);
  };
  const told: string[] = [];
  let held = false;
  for (let series = 0; series < SERIES && !held; series++) {
    const aloneMs = await times();
    const stop = attack(eve);
    await sleep(WARM_UP_MS);
    const attackedMs = await times();
    await stop();
    held = attackedMs <= 2 * aloneMs;
    told.push(`alone ${aloneMs.toFixed()} ms, attacked ${attackedMs.toFixed()} ms`);
  }
  t.comment(told.join('; '));
  t.ok(held, told.join('; '));
});
