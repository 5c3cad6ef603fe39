import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { AwayHistories } from '../../server/history/away-histories.ts';

function open(t: Test, headroomBytes = 0) {
  const folder = join(t.testdir({ histories: { 'left.db': '' } }), 'histories');
  const fetched: string[] = [];
  const read: string[] = [];
  const faults: string[] = [];
  const trouble = { isAway: false };
  const ask = async (order: { readonly copy?: string }) => {
    read.push(order.copy ?? '');
    if (!existsSync(order.copy ?? '')) throw new Error('there is no copy');
  };
  const histories = new AwayHistories({
    history: {
      read: async (_account, order) => {
        await ask(order);
        return { bytes: new Uint8Array(), count: 0, last: 0, more: false };
      },
      find: async (_account, order) => void (await ask(order)),
    },
    storedOf: (id) => (id === 'ses_none' ? undefined : { byteSize: 1, sha256: 'a'.repeat(64) }),
    objects: {
      get: async (id, file) => {
        fetched.push(id);
        writeFileSync(file, '');
        if (trouble.isAway) throw new Error('the store is away');
      },
    },
    folder,
    headroomBytes,
    onFault: (error) => void faults.push(String(error)),
  });
  const order = (sessionId: string) => ({ sessionId, after: 0, limit: 1, bytesMax: 1 });
  return {
    folder,
    fetched,
    read,
    faults,
    trouble,
    page: (sessionId: string) => histories.read('acc_1', order(sessionId)),
    find: (sessionId: string) => histories.find('acc_1', { sessionId, requestId: 'a' }),
  };
}

t.test('a history is fetched once for those who read it at once and after, and few stay', async (t) => {
  const { folder, fetched, page, find } = open(t);
  t.same(readdirSync(folder), [], 'what an earlier process has left is gone');
  await Promise.all([page('ses_1'), page('ses_1'), find('ses_1')]);
  await page('ses_1');
  t.same(fetched, ['ses_1']);
  for (let number = 2; number <= 9; number++) {
    await page(`ses_${number}`);
    if (number === 5) await find('ses_1');
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(readdirSync(folder).length, 8);
  fetched.length = 0;
  await page('ses_1');
  t.same(fetched, [], 'it was read lately');
  await page('ses_2');
  t.same(fetched, ['ses_2'], 'it had made room');
});

t.test('what cannot be fetched now can be later, and leaves no file', async (t) => {
  const { folder, fetched, faults, trouble, page, find } = open(t);
  const refused = { code: 'store_unavailable' };
  trouble.isAway = true;
  await t.rejects(page('ses_1'), refused);
  await t.rejects(find('ses_1'), refused);
  t.same(readdirSync(folder), []);
  trouble.isAway = false;
  await page('ses_1');
  t.same(fetched, ['ses_1', 'ses_1', 'ses_1']);
  await t.rejects(page('ses_none'), refused);
  await t.rejects(page('ses_none'), refused);
  t.equal(faults.length, 4);
});

t.test('the disk of an edge is not filled with histories', async (t) => {
  const { fetched, page } = open(t, Number.MAX_SAFE_INTEGER);
  await t.rejects(page('ses_1'), { code: 'store_unavailable' });
  t.same(fetched, []);
});
