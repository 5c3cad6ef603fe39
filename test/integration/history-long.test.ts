import { get, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryPage, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { residentBytes } from '../support/process-memory.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';

const INPUTS = 100_000;
const AT_ONCE = 500;
const MIB = 1_048_576;

const dataDir = temporaryDataDir();
const program = serverProgram(dataDir.path, {
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'fatal',
  RUNCLOUD_RATE_LIMIT: 'off',
  RUNCLOUD_CHECK_ANSWERS: undefined,
});
t.teardown(async () => {
  program.signal('SIGKILL');
  await program.ended;
  dataDir.remove();
});
const rest = new RestClient(await program.ready(), TEST_KEY);

async function tapped(count: number): Promise<SessionRecord> {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(rest.url, session, rest.authorization);
  for (let index = 1; index <= count; index++) {
    client.send({ type: 'interaction', action: 'tap', x: 0.5, y: 0.5, requestId: `t${index}`, acks: 'final' });
    if (index % AT_ONCE !== 0 && index !== count) continue;
    await client.result(`t${index}`);
    client.messages.length = 0;
  }
  await client.close();
  return session;
}

const [long, short] = [await tapped(INPUTS), await tapped(200)];
const pathOf = ({ id }: SessionRecord) => `/service/ios/${id}/history`;

t.test('a page of a long history takes as long as one of a short history', async (t) => {
  const msOf = async (session: SessionRecord, after: number) => {
    const startMs = performance.now();
    const { body } = await rest.call<HistoryPage>('GET', `${pathOf(session)}?limit=50&after=${after}`);
    t.equal(body.entries.length, 50);
    return performance.now() - startMs;
  };
  const ratios: number[] = [];
  const pagesMs: number[] = [];
  for (let round = 0; round < 41; round++) {
    const shortMs = await msOf(short, 100);
    const longMs = await msOf(long, Math.floor((round * (INPUTS - 100)) / 41));
    ratios.push(longMs / shortMs);
    pagesMs.push(longMs);
  }
  const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] ?? 0;
  t.ok(median(ratios) < 3, `${median(ratios).toFixed(2)} times as long; ${median(pagesMs).toFixed(1)} ms`);
});

t.test('streams of a long history that are not read take no memory of the service', async (t) => {
  const headers = { Authorization: rest.authorization, Accept: 'application/x-ndjson' };
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${rest.url}${pathOf(long)}`, { headers, agent: false }, resolve).on('error', reject);
    });
  const bytesOf = async (response: IncomingMessage) => {
    let bytes = 0;
    for await (const piece of response) bytes += piece.length;
    return bytes;
  };
  // What the first one needs for good is no growth.
  const whole = await bytesOf(await open());
  t.ok(whole > 20 * MIB, `${(whole / MIB).toFixed(1)} MiB in one stream`);
  const before = residentBytes(program.pid);
  const streams = await Promise.all(Array.from({ length: 8 }, open));
  for (const stream of streams) stream.pause();
  await sleep(1_500);
  const grown = (residentBytes(program.pid) - before) / MIB;
  t.ok(grown * MIB < whole * 2, `${grown.toFixed(1)} MiB more with 8 streams of ${(whole / MIB).toFixed(1)} MiB`);
  const sizes = await Promise.all(streams.map(bytesOf));
  t.same(new Set(sizes), new Set([whole]), 'each comes whole');
  const after = (residentBytes(program.pid) - before) / MIB;
  t.ok(after * MIB < whole * 4, `${after.toFixed(1)} MiB more after all were read`);
});
