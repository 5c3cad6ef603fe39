import t from 'tap';
import { LivenessWatch, TICK_MS } from '../../client/viewer/connection/liveness.ts';
import { OUTCOME_MS, SOON_MS, ViewerRequests } from '../../client/viewer/connection/requests.ts';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { globalTimers } from '../support/global-timers.ts';
import { readMetrics } from '../support/prometheus.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** A watch on a clock of its own, and a service that answers as long as `delayMs` is a number. */
function watched() {
  const states: string[] = [];
  const roundTrips: number[] = [];
  const service: { delayMs: number | undefined } = { delayMs: 20 };
  const due: { readonly id: number; readonly atMs: number }[] = [];
  let nowMs = 0;
  const watch = new LivenessWatch({
    ping: (id) => service.delayMs !== undefined && due.push({ id, atMs: nowMs + service.delayMs }),
    changed: (liveness) => states.push(`${liveness} at ${nowMs}`),
    roundTrip: (ms) => roundTrips.push(ms),
  });
  watch.connected(0);
  const run = (forMs: number, stepMs = TICK_MS) => {
    for (const endMs = nowMs + forMs; nowMs < endMs; ) {
      nowMs += stepMs;
      for (let first = due[0]; first && first.atMs <= nowMs; first = due[0]) {
        due.shift();
        watch.heard(first.atMs);
        watch.ponged(first.id, first.atMs);
      }
      watch.tick(nowMs);
    }
  };
  return { watch, service, states, roundTrips, run };
}

t.test('a service that answers is live, one that answers late is slow', (t) => {
  const { watch, service, states, roundTrips, run } = watched();
  run(10_000);
  t.same(states, []);
  t.ok(roundTrips.length >= 8 && roundTrips.every((ms) => ms === 20), `${roundTrips.length} round trips`);
  service.delayMs = 700;
  run(5_000);
  t.equal(watch.liveness, 'slow', 'it answers, so it is not lost');
  t.ok(states.every((state) => !state.startsWith('lost')));
  service.delayMs = 20;
  run(3_000);
  t.equal(watch.liveness, 'live');
  t.end();
});

t.test('a service that falls silent is lost within two seconds, and live again with its first word', (t) => {
  for (let beginMs = 2_000; beginMs < 3_000; beginMs += TICK_MS) {
    const { watch, service, states, run } = watched();
    run(beginMs);
    service.delayMs = undefined;
    run(2_000);
    t.equal(watch.liveness, 'lost', `${states}`);
    watch.heard(beginMs + 2_000);
    t.not(watch.liveness, 'lost');
  }
  t.end();
});

t.test('a page that stood still itself does not blame the service', (t) => {
  const { states, run } = watched();
  run(2_000);
  run(30_000, 10_000);
  run(2_000);
  t.same(states, []);
  t.end();
});

t.test('an input waits for a connection, but not for long', async (t) => {
  const clock = globalTimers(t);
  const sent: string[] = [];
  const line = { connected: false };
  const requests = new ViewerRequests({
    send: ({ requestId }) => {
      if (line.connected) sent.push(requestId);
      return line.connected;
    },
    sent: () => sent.length,
    now: () => 0,
  });
  const late = requests.ask({ requestId: 'tap-1', action: 'tap' }, 'soon');
  clock.advance(SOON_MS - 1);
  const early = requests.ask({ requestId: 'tap-2', action: 'tap' }, 'soon');
  clock.advance(1);
  t.match(await late, { ok: false, error: { code: 'interaction_transport_error', message: /^Not sent/ } });
  line.connected = true;
  requests.resume();
  clock.advance(SOON_MS);
  t.same(sent, ['tap-2'], 'what came too late is never sent');
  line.connected = false;
  requests.lost();
  clock.advance(OUTCOME_MS);
  t.match(await early, { ok: false, error: { message: /lost/ } });
  requests.resume();
  t.equal(requests.size, 0);
});

/** How many interactions of each action the service has carried out. */
async function performed(url: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [sample, count] of await readMetrics(url)) {
    const action = /^runcloud_interactions_total\{.*action="(\w+)"/.exec(sample)?.[1];
    if (action !== undefined) counts[action] = (counts[action] ?? 0) + count;
  }
  return counts;
}

t.test('a page says soon that the service has stopped, and sends nothing late', { skip: withoutBrowser }, async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'error' });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const session = await rest.createSession('ios');
  const viewer = await ViewerPage.open(await startBrowser(t), session);
  const { page } = viewer;
  const keys = async () => (await performed(rest.url)).pressKey;
  await page.locator('.keys').focus();
  await page.keyboard.type('before');
  await until(async () => (await keys()) === 6, 'the first keys');

  program.signal('SIGSTOP');
  const stoppedAtMs = performance.now();
  await page.waitForSelector('main[data-liveness="lost"]');
  t.comment(`lost after ${Math.round(performance.now() - stoppedAtMs)} ms`);
  t.equal(await page.locator('.state').textContent(), 'Lost');
  await page.getByText('The service does not answer. Your').waitFor();
  await page.keyboard.type('late');
  await viewer.click(0.5, 0.97);
  await page.getByText('Not sent: the service does not answer.').waitFor();

  program.signal('SIGCONT');
  await page.waitForSelector('main:not([data-liveness="lost"])');
  await page.locator('.keys').focus();
  await page.keyboard.type('after');
  await until(async () => (await keys()) === 11, 'the keys after it');
  await page.getByRole('button', { name: 'Show the text' }).click();
  const kept = page.getByRole('textbox', { name: 'Text to insert on the device' });
  t.equal(await kept.inputValue(), 'late', 'the text that was not sent is kept');
  t.same(await performed(rest.url), { pressKey: 11 }, 'and neither a key nor a touch of that time has arrived');
  await page.getByRole('button', { name: 'Insert', exact: true }).click();
  await until(async () => (await performed(rest.url)).typeText === 1, 'the kept text, sent by hand');
  t.same(viewer.faults, []);
});
