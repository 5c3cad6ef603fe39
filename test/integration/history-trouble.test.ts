import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEntry, SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { SmallDisk, withoutMounts } from '../support/troubled-disk.ts';

async function start(t: Test, dataDir: string) {
  const program = serverProgram(dataDir, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'fatal' });
  t.teardown(() => program.signal('SIGKILL'));
  return { program, rest: new RestClient(await program.ready(), TEST_KEY) };
}

async function idsOf(rest: RestClient, { id }: SessionRecord): Promise<readonly string[]> {
  const response = await rest.fetch(`/service/ios/${id}/history`, { headers: { Accept: 'application/x-ndjson' } });
  const lines = (await response.text()).split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as HistoryEntry).requestId);
}

const figureOf = async (rest: RestClient, name: string): Promise<string | undefined> =>
  new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await rest.fetch('/metrics')).text())?.[1];

async function tapAll(client: ControlClient, from: number, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, index) => `t${from + index}`);
  const answers = [];
  for (const requestId of ids)
    answers.push((await client.interact({ action: 'tap', x: 0.5, y: 0.5, requestId })).status);
  return answers;
}

const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `t${from + index}`);

t.test(
  'a full disk fails no tap: the history waits, is read as it is, and is written later',
  { skip: withoutMounts() },
  async (t) => {
    const folder = temporaryDataDir();
    const disk = new SmallDisk(join(folder.path, 'disk'), 16_384);
    t.teardown(() => {
      disk.remove();
      folder.remove();
    });
    const dataDir = join(folder.path, 'disk', 'data');
    const { program, rest } = await start(t, dataDir);
    const session = await rest.createSession('ios');
    const client = await ControlClient.connect(rest.url, session, rest.authorization);
    const completed = new Set(await tapAll(client, 1, 10));
    t.same(await idsOf(rest, session), names(1, 10));
    disk.fill();
    for (let round = 0; round < 20; round++) {
      for (const status of await tapAll(client, 11 + round * 10, 10)) completed.add(status);
      await sleep(60);
    }
    t.same([...completed], ['completed'], 'every tap');
    t.equal(await figureOf(rest, 'runcloud_history_writing'), '0', 'it says that it waits');
    t.same(await idsOf(rest, session), names(1, 210), 'it is read as it is');
    disk.relieve();
    while ((await figureOf(rest, 'runcloud_history_writing')) !== '1') await sleep(50);
    t.equal(await figureOf(rest, 'runcloud_history_lost_total'), '0');
    await client.close();
    program.signal('SIGKILL');
    await program.ended;
    const later = await start(t, dataDir);
    t.same(await idsOf(later.rest, session), names(1, 210), 'all of it is there after a kill');
  },
);

t.test('a broken file fails no tap: it is moved aside, and the history goes on', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const first = await start(t, dataDir.path);
  const old = await first.rest.createSession('ios');
  await first.rest.interact(old, { action: 'tap', x: 0.5, y: 0.5, requestId: 'old' });
  t.same(await idsOf(first.rest, old), ['old']);
  first.program.signal('SIGTERM');
  await first.program.ended;
  writeFileSync(join(dataDir.path, 'history.db'), Buffer.alloc(65_536, 'broken '));
  const { rest } = await start(t, dataDir.path);
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(rest.url, session, rest.authorization);
  t.same([...new Set(await tapAll(client, 1, 50))], ['completed']);
  t.same(await idsOf(rest, session), names(1, 50));
  t.same(await idsOf(rest, old), []);
  t.equal(await figureOf(rest, 'runcloud_history_writing'), '1');
  t.ok(existsSync(join(dataDir.path, 'history.db.broken')));
  await client.close();
});
