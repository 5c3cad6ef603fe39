import t from 'tap';
import { ExpectationError, expect } from '../../../client/sdk/expect.ts';
import { RunCloud } from '../../../client/sdk/index.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: an element is found anew each time, and expected to be as it will be`, async (t) => {
    const phone = await cloud.sessions.create({ platform });
    t.teardown(() => phone.delete());
    const note = phone.get({ role: 'textfield' });
    await expect(note).toBeHidden();
    await expect(note).not.toBeVisible();
    const shown = expect(note).toBeVisible();
    await phone.get({ text: 'Notes' }).tap();
    await shown;
    await expect(note).toBeEnabled();
    await expect(note).toHaveCount(1);
    await expect(note).not.toHaveCount(2);
    const filled = expect(note).toHaveValue('Milk');
    await note.type('Milk');
    await filled;
    await expect(note).toHaveText('Note');
    await expect(note).toHaveText('Milk');
    await expect(note).not.toHaveText('Bread');
    t.match(await note.check({ value: 'Bread' }), { holds: false, found: /has the value "Milk"/ });
    t.match(await note.waitFor({ value: 'Milk' }), { holds: true, element: { role: 'textfield', value: 'Milk' } });
    t.match(await phone.waitFor({ idle: true }), { idle: 'settled' });
    await phone.pressButton('home');
    await phone.get({ text: 'Settings' }).tap();
    const dark = phone.get({ role: 'switch', text: 'Dark mode' });
    await expect(dark).not.toBeChecked();
    await dark.tap();
    await expect(dark).toBeChecked();
  });
}

t.test('a failure says what was expected, what was there, and what was on the screen', async (t) => {
  const phone = await cloud.sessions.create({ platform: 'ios' });
  t.teardown(() => phone.delete());
  const failureOf = async (met: Promise<void>): Promise<ExpectationError> => {
    const error = await met.catch((failed: unknown) => failed);
    if (!(error instanceof ExpectationError)) throw new Error(`it is another failure: ${error}`);
    return error;
  };
  const absent = await failureOf(expect(phone.get({ text: 'Notse' }), { timeoutMs: 200 }).toBeVisible());
  t.equal(absent.expected, 'element "Notse" to be visible within 200 ms');
  t.match(absent.found, /^No element "Notse" in frame \d+\. Similar: .*"Notes"/);
  t.match(
    absent.message,
    /^Expected element "Notse" to be visible within 200 ms\.\nFound: No element .*\n\nOn the screen:\nframe \d+ · Home/,
  );
  t.match(absent.outline, /^frame \d+ · Home/);
  t.strictSame([...(absent.screenshot ?? []).slice(1, 4)], [...Buffer.from('PNG')]);
  t.notOk(Object.keys(absent).includes('screenshot'), 'the bytes are not printed');
  const there = await failureOf(expect(phone.get({ text: 'Notes' })).toBeHidden({ timeoutMs: 200 }));
  t.match(
    there.message,
    /^Expected element "Notes" not to be visible within 200 ms\.\nFound: The button "Notes" @\d+ is in frame/,
  );
  for (const state of ['toBeDisabled', 'toBeChecked'] as const) {
    await t.rejects(
      expect(phone.get({ text: 'Notes' }), { timeoutMs: 100 })[state](),
      { name: 'ExpectationError' },
      state,
    );
    const gone = phone.get({ text: 'Never there' });
    await t.rejects(expect(gone, { timeoutMs: 100 }).not[state](), { name: 'ExpectationError' }, 'it must be there');
  }
});

t.test('what is no failure of an expectation stays what it is', async (t) => {
  const phone = await cloud.sessions.create({ platform: 'ios' });
  const note = phone.get({ role: 'textfield' });
  const reason = new Error('enough');
  const controller = new AbortController();
  const waiting = expect(note, { signal: controller.signal }).toBeVisible();
  controller.abort(reason);
  await t.rejects(waiting, reason);
  await t.rejects(expect(note).toBeVisible({ timeoutMs: 1 }), { code: 'invalid_request', message: /timeoutMs/ });
  await phone.delete();
  await t.rejects(expect(note).toBeVisible(), { code: 'active_session_not_found' });
});
