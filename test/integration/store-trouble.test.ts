import { performance } from 'node:perf_hooks';
import { CLIENT_MESSAGES, ROUTES } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Sqlite } from '../../server/store/sqlite.ts';
import { type Answered, type Ask, onStore } from '../support/asks.ts';
import { ControlClient } from '../support/control-client.ts';
import { prepareMessages } from '../support/message-asks.ts';
import { RestClient } from '../support/rest-client.ts';
import { prepareRoutes } from '../support/route-asks.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { SmallDisk, withoutMounts } from '../support/troubled-disk.ts';

const KEY = 'a-key-that-only-this-test-knows';
/**
 * The promised time, to which a multiple of the time of the same request with free storage is added, because work that was
 * done before the request met the lock, such as the hash of a password, is done again.
 */
const ANSWER_MS_MAX = 500;
const HELD_MS = 3_000;
/** Between an answer and the same question again. */
const PAUSE_MS = 500;

interface Timed extends Answered {
  readonly asked: Ask;
  readonly ms: number;
  /** The trouble was over when it came. */
  readonly isLate?: boolean;
}

async function start(t: { teardown(task: () => void): void }, dataDir: string) {
  const server = serverProgram(dataDir, {
    RUNCLOUD_API_KEY: KEY,
    RUNCLOUD_DEVICES: 'virtual-ios:12,virtual-android:1',
    RUNCLOUD_DISK_HEADROOM: '1/1',
    RUNCLOUD_LOG: 'fatal',
    RUNCLOUD_RATE_LIMIT: 'off',
  });
  t.teardown(() => server.signal('SIGKILL'));
  const url = await server.ready();
  const rest = new RestClient(url, KEY);
  const accountId = onStore(dataDir, (store) => store.accounts.byName('local')?.id ?? '');
  const asked = { rest, dataDir, accountId, userCodes: [] };
  /** All that can be asked for: what changes what is kept, and what does not. */
  const prepare = async () => {
    const [routes, messages] = [await prepareRoutes(asked), await prepareMessages(asked)];
    const asks = [...Object.values(messages), ...Object.values(routes)].flat();
    const changes = asks.filter(({ isKept }) => isKept);
    return { routes, messages, asks, changes, reads: asks.filter((one) => !changes.includes(one)) };
  };
  const releaseAll = async () => {
    const live = onStore(dataDir, (store) =>
      store.sessions.list(accountId, { status: 'active', platform: 'ios' }, { limit: 50 }),
    );
    for (const { id } of live.items) await rest.releaseSession(id);
  };
  /** Whether a change that was acknowledged is kept: at once, but for recordings, which are finalized first. */
  const isKept = async ({ isKept }: Ask, body: Answered['body']): Promise<boolean> => {
    for (let tries = 0; tries < 400; tries++) {
      if (onStore(dataDir, (store) => isKept?.(store, body))) return true;
      await pause(50);
    }
    return false;
  };
  const other = onStore(dataDir, (store) => new Accounts(store, systemClock).create('other').key);
  return { url, rest, accountId, prepare, releaseAll, isKept, tapUntil: await tapping(url, other) };
}

async function timed(asked: Ask): Promise<Timed> {
  const startedMs = performance.now();
  const answered = await asked.ask();
  return { ...answered, asked, ms: performance.now() - startedMs };
}

/** Asks for all of it again and again for so long, and then calls `onOver`. */
async function askFor(ms: number, asks: readonly Ask[], onOver: () => void = () => undefined): Promise<Timed[]> {
  let isOver = false;
  const over = pause(ms).then(() => {
    isOver = true;
    onOver();
  });
  const answers: Timed[] = [];
  const askAgain = async (one: Ask) => {
    while (!isOver) {
      const answer = await timed(one);
      answers.push({ ...answer, isLate: isOver });
      await pause(PAUSE_MS);
    }
  };
  await Promise.all([over, ...asks.map(askAgain)]);
  return answers;
}

/** How long each request took while the storage was free, by its name. */
class Control {
  readonly #ms = new Map<string, number>();

  note({ asked: { name }, ms }: Timed): void {
    this.#ms.set(name, Math.max(ms, this.#ms.get(name) ?? 0));
  }

  /** Judges answers in trouble; `slackMs` is what any request may take beside the others. */
  judge(t: Test, answers: readonly Timed[], slackMs: number): void {
    for (const { asked, ms } of answers) {
      const freeMs = this.#ms.get(asked.name) ?? 0;
      t.ok(
        ms < ANSWER_MS_MAX + 3 * freeMs + slackMs,
        `${asked.name}: ${Math.round(ms)} ms, free ${Math.round(freeMs)} ms`,
      );
    }
  }
}

/** Another account's taps, one after the other, until told to stop; gives how long each took. */
async function tapping(url: string, key: string) {
  const rest = new RestClient(url, key);
  const session = await rest.createSession('android');
  const client = await ControlClient.connect(url, session, rest.authorization);
  let tap = 0;
  return async (until: Promise<unknown>): Promise<number[]> => {
    let over = false;
    until
      .finally(() => {
        over = true;
      })
      .catch(() => undefined);
    const tookMs: number[] = [];
    while (!over) {
      const startedMs = performance.now();
      const { status } = await client.interact({ requestId: `tap-${tap++}`, action: 'tap', x: 0.5, y: 0.5 });
      if (status !== 'completed') throw new Error(`a tap ended ${status}`);
      tookMs.push(performance.now() - startedMs);
    }
    return tookMs;
  };
}

const p99 = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function judgeTaps(t: Test, free: readonly number[], troubled: readonly number[]): void {
  const [freeMs, troubledMs] = [p99(free), p99(troubled)];
  t.comment(
    `taps: p99 ${freeMs.toFixed(1)} ms of ${free.length}, in trouble ${troubledMs.toFixed(1)} of ${troubled.length}`,
  );
  t.ok(troubledMs < Math.max(2 * freeMs, freeMs + 25), `p99 ${troubledMs} ms, free ${freeMs} ms`);
}

t.test('while another program holds the database, whatever is asked is answered in time, and taps go on', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const { rest, prepare, releaseAll, isKept, tapUntil } = await start(t, dataDir.path);
  const first = await prepare();
  t.strictSame(Object.keys(first.routes).sort(), Object.keys(ROUTES).sort(), 'every route');
  t.strictSame(Object.keys(first.messages).sort(), [...CLIENT_MESSAGES.keys(), 'interaction'].sort(), 'every message');

  const control = new Control();
  let slowestKeyMs = 0;
  const makeKeys = async () => {
    for (let made = 0; made < 60; made++) {
      const startedMs = performance.now();
      const { body } = await rest.call<{ id: string }>('POST', '/service/account/keys', { name: 'many' });
      slowestKeyMs = Math.max(slowestKeyMs, performance.now() - startedMs);
      await rest.call('DELETE', `/service/account/keys/${body.id}`);
    }
  };
  const free = Promise.all([askFor(HELD_MS, first.reads), Promise.all(first.changes.map(timed)), makeKeys()]);
  const freeTaps = await tapUntil(free);
  for (const answer of (await free).flatMap((some) => some ?? [])) {
    control.note(answer);
    t.ok(answer.status < 400, `${answer.asked.name}, free: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  await releaseAll();

  const { asks, changes } = await prepare();
  const holder = new Sqlite(databasePath(dataDir.path), { timeout: 1_000 });
  t.teardown(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  const asking = askFor(HELD_MS, asks, () => holder.exec('ROLLBACK'));
  const taps = await tapUntil(asking);
  const answers = await asking;
  control.judge(t, answers, slowestKeyMs);
  for (const { asked, status, code, retryAfter, retryable, isLate } of answers) {
    if (isLate) continue;
    if (!asked.isKept) t.ok(status < 400, `${asked.name} goes on: ${status} ${code}`);
    else {
      t.strictSame([status, code, retryable], [503, 'store_unavailable', true], asked.name);
      if (retryAfter !== undefined) t.equal(retryAfter, '1', asked.name);
    }
  }
  judgeTaps(t, freeTaps, taps);

  for (const change of changes) {
    // Where the last answer came late, the change is made: the question had waited for the end of the trouble.
    const last = answers.findLast(({ asked }) => asked === change);
    const { status, body } = last && last.status < 300 ? last : await timed(change);
    t.ok(status < 300, `${change.name}, repeated: ${status} ${JSON.stringify(body)}`);
    t.ok(await isKept(change, body), change.name);
  }
});

t.test(
  'a disk that is full at any write of any change loses nothing that was acknowledged, and passes',
  {
    skip: withoutMounts(),
  },
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    const disk = new SmallDisk(dataDir.path, 24 * 1_024);
    t.teardown(() => disk.remove());
    const { url, prepare, releaseAll, isKept, tapUntil } = await start(t, dataDir.path);
    const control = new Control();
    const outcomes = { kept: 0, refused: 0 };
    const answers: Timed[] = [];
    /** With room for so many pages, or, as a control, after the disk was full. */
    const whileFull = async <T>(pages: number | undefined, work: () => Promise<T>): Promise<T> => {
      disk.fill();
      if (pages === undefined) disk.relieve();
      else disk.leave(pages * 4_096);
      const outcome = await work();
      disk.relieve();
      return outcome;
    };
    const judge = async (one: Ask, answer: Timed, pages: number | undefined) => {
      const { status, code, body } = answer;
      const what = `${one.name} with ${pages ?? 'all'} pages left: ${status} ${code ?? ''}`;
      if (pages === undefined) control.note(answer);
      else answers.push(answer);
      if (one.needsDisk && pages !== undefined && status >= 400) {
        t.match([status, code], [503, 'asset_capacity_unavailable'], what);
        t.ok((await timed(one)).status < 300, `${what}, repeated`);
        return;
      }
      if (!one.isKept || pages === undefined) t.ok(status < 400, what);
      if (!one.isKept) return;
      if (status < 300) {
        if (pages !== undefined) outcomes.kept++;
        t.ok(await isKept(one, body), what);
        return;
      }
      outcomes.refused++;
      t.equal(status, 503, what);
      t.match(code, /^(store_unavailable|(recording|asset)_capacity_unavailable)$/, what);
      const again = await timed(one);
      t.ok(again.status < 300, `${what}, repeated: ${again.status} ${JSON.stringify(again.body)}`);
      t.ok(await isKept(one, again.body), what);
    };
    const round = async (pages: number | undefined) => {
      const { changes, reads } = await prepare();
      const read = await whileFull(pages === undefined ? undefined : 0, () => Promise.all(reads.map(timed)));
      for (const answer of read) await judge(answer.asked, answer, pages);
      for (const one of changes) await judge(one, await whileFull(pages, () => timed(one)), pages);
      await releaseAll();
    };
    const taps = { free: [] as number[], troubled: [] as number[] };
    // Each change writes a few pages: at 0 not even the first fits, at 24 all of them do. A machine is not equally fast for
    // minutes, so the control is looked at twice.
    for (const pages of [undefined, 0, 1, undefined, 3, 24]) {
      const turn = round(pages);
      taps[pages === undefined ? 'free' : 'troubled'].push(...(await tapUntil(turn)));
      await turn;
    }
    control.judge(t, answers, 0);
    judgeTaps(t, taps.free, taps.troubled);
    t.comment(JSON.stringify(outcomes));
    t.ok(outcomes.kept > 0 && outcomes.refused > 0);
    t.equal((await fetch(`${url}/readyz`)).status, 200);
  },
);
