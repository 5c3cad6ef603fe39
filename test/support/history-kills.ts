import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, HistoryEntry, InteractionState } from '@runcloud/protocol';
import type { Test } from 'tap';
import { ControlClient } from './control-client.ts';
import { RestClient } from './rest-client.ts';
import { TEST_KEY } from './server.ts';
import { serverProgram } from './server-process.ts';

/** As much of a history may be lost by a kill. */
const LOST_MS_MAX = 1_000;
/** Requests that a client has on their way. */
const AT_ONCE = 16;

/** What a client was told of a request before the service was killed, by the clock of the client. */
interface Told {
  acceptedMs?: number;
  resultMs?: number;
  result?: Acknowledgement;
}

interface KillFigures {
  /** Requests that the clients had the outcome of. */
  readonly told: number;
  /** Of these, those that the history does not have, or without their end. */
  readonly lost: number;
  /** How long before the kill the first of them was told. */
  readonly lostMs: number;
  readonly unknown: number;
}

/**
 * Kills a service in the middle of traffic, and holds the history that the next one has against what clients were told. Gives
 * every contradiction as a sentence.
 */
export async function killInTraffic(
  dataDir: string,
  random: () => number,
): Promise<KillFigures & { readonly wrong: readonly string[] }> {
  const environment = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'fatal', RUNCLOUD_RATE_LIMIT: 'off' };
  const first = serverProgram(dataDir, environment);
  const told = new Map<string, Told>();
  let killedMs = 0;
  const rest = new RestClient(await first.ready(), TEST_KEY);
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(rest.url, session, rest.authorization);
  const traffic = trafficOf(client, told, random);
  await sleep(1_200 + random() * 1_500);
  killedMs = performance.now();
  first.signal('SIGKILL');
  traffic.stop();
  await first.ended;
  const second = serverProgram(dataDir, environment);
  try {
    const later = new RestClient(await second.ready(), TEST_KEY);
    const path = `/service/ios/${session.id}`;
    const response = await later.fetch(`${path}/history`, { headers: { Accept: 'application/x-ndjson' } });
    const lines = (await response.text()).split('\n').slice(0, -1);
    const entries = lines.map((line) => JSON.parse(line) as HistoryEntry);
    const figures = judged(entries, told, killedMs);
    const asked = entries.at(-1);
    if (asked) {
      const { body } = await later.call<InteractionState>('GET', `${path}/interactions/${asked.requestId}`);
      if (body.status !== asked.status) figures.wrong.push(`${asked.requestId} is ${asked.status}, and ${body.status}`);
    }
    return figures;
  } finally {
    second.signal('SIGTERM');
    await second.ended;
  }
}

/** Taps without a pause, and a swipe now and then, of which some are cancelled. */
function trafficOf(client: ControlClient, told: Map<string, Told>, random: () => number): { stop(): void } {
  let number = 0;
  let isOver = false;
  let seen = 0;
  const next = () => {
    const requestId = `r${++number}`;
    told.set(requestId, {});
    const isLong = random() < 0.02;
    const swipe = { action: 'swipe', from: { x: 0.5, y: 0.6 }, to: { x: 0.5, y: 0.4 }, durationMs: 150 };
    const one = isLong ? swipe : { action: 'tap', x: 0.5, y: 0.5 };
    client.send({ type: 'interaction', requestId, ...one, acks: 'all' });
    if (isLong && random() < 0.5) setTimeout(() => !isOver && client.send({ type: 'cancel', requestId }), 40);
  };
  const look = setInterval(() => {
    const nowMs = performance.now();
    for (; seen < client.messages.length; seen++) {
      const message = client.messages[seen];
      if (message?.type === 'accepted') Object.assign(told.get(message.requestId) ?? {}, { acceptedMs: nowMs });
      if (message?.type !== 'result') continue;
      const { type: _type, ...result } = message;
      Object.assign(told.get(message.requestId) ?? {}, { resultMs: nowMs, result });
      if (!isOver) next();
    }
  }, 2);
  for (let index = 0; index < AT_ONCE; index++) next();
  return {
    stop: () => {
      isOver = true;
      clearInterval(look);
    },
  };
}

function judged(entries: readonly HistoryEntry[], told: ReadonlyMap<string, Told>, killedMs: number) {
  const wrong: string[] = [];
  const byId = new Map(entries.map((entry) => [entry.requestId, entry]));
  if (byId.size !== entries.length) wrong.push('a request is there twice');
  for (const [index, { seq, requestId, status }] of entries.entries()) {
    if (seq !== index + 1) wrong.push(`entry ${index + 1} has the number ${seq}`);
    if (status === 'pending') wrong.push(`${requestId} is pending, and nothing is left to end it`);
    if (!told.has(requestId)) wrong.push(`${requestId} was never sent`);
  }
  const figures = { told: 0, lost: 0, lostMs: 0, unknown: 0 };
  for (const [requestId, { acceptedMs, resultMs, result }] of told) {
    const entry = byId.get(requestId);
    if (entry?.status === 'unknown') figures.unknown++;
    if (acceptedMs !== undefined && !entry && killedMs - acceptedMs > LOST_MS_MAX) {
      wrong.push(`${requestId} was accepted ${Math.round(killedMs - acceptedMs)} ms before the kill, and is not there`);
    }
    if (!result || resultMs === undefined) continue;
    figures.told++;
    if (!entry || entry.status === 'unknown') {
      const lostMs = killedMs - resultMs;
      figures.lost++;
      figures.lostMs = Math.max(figures.lostMs, lostMs);
      if (lostMs > LOST_MS_MAX) wrong.push(`the end of ${requestId} was told ${Math.round(lostMs)} ms before the kill`);
    } else if (contradicts(entry, result)) {
      wrong.push(`${requestId} was told as ${JSON.stringify(result)}, and reads ${JSON.stringify(entry)}`);
    }
  }
  return { ...figures, wrong };
}

const contradicts = (entry: HistoryEntry, result: Acknowledgement): boolean =>
  entry.status !== result.status ||
  entry.action !== result.action ||
  entry.acceptedAt !== result.acceptedAt ||
  entry.completedAt !== result.completedAt ||
  entry.durationMs !== result.durationMs ||
  entry.error?.code !== result.error?.code;

/** Kills as often as `count` says, each time a service of its own; one assertion for each. */
export async function proveHistoryKills(
  t: Test,
  count: number,
  random: () => number,
  folder: (index: number) => string,
) {
  const worst = { lostMs: 0, told: 0, lost: 0, unknown: 0 };
  for (let index = 0; index < count; index++) {
    const { wrong, ...figures } = await killInTraffic(folder(index), random);
    const { told, lost, lostMs, unknown } = figures;
    t.same(wrong.slice(0, 5), [], `kill ${index}: ${told} told, ${lost} of them lost within ${Math.round(lostMs)} ms`);
    t.ok(told > 100, 'in the middle of traffic');
    worst.lostMs = Math.max(worst.lostMs, lostMs);
    worst.told += told;
    worst.lost += lost;
    worst.unknown += unknown;
  }
  t.comment(JSON.stringify(worst));
}
