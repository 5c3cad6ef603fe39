import type { CDPSession } from 'playwright-core';
import t from 'tap';
import { cannotType, typeText } from '../../client/viewer/input/typed-text.ts';
import type { Viewer } from '../../client/viewer/viewer.ts';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';

const TEXT = 'Grüße 你好 😀 é';
const NOTES = { ios: { x: 0.388, y: 0.922 }, android: { x: 0.388, y: 0.84 } } as const;

/** A keyboard that has a key for this character, as a browser reports it. */
async function pressCharacter(browser: CDPSession, character: string): Promise<void> {
  await browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key: character, text: character });
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key: character });
}

/** An input method that shows `steps` one after the other, and then makes `text`. */
async function compose(browser: CDPSession, steps: readonly string[], text: string): Promise<void> {
  for (const step of steps) {
    await browser.send('Input.imeSetComposition', {
      text: step,
      selectionStart: step.length,
      selectionEnd: step.length,
    });
  }
  await browser.send('Input.insertText', { text });
}

/** A viewer of a device with these actions that takes as many inputs as `takes` says, and what it was given. */
function viewerWith(actions: readonly string[], takes = Number.POSITIVE_INFINITY) {
  const sent: (readonly [action: unknown, text: unknown])[] = [];
  const viewer = {
    ready: { capabilities: { actions } },
    act: async ({ action, text }: Record<string, unknown>) => {
      if (sent.length >= takes) return { ok: false, error: { message: 'Not sent.' } };
      sent.push([action, text]);
      return { ok: true };
    },
  } as unknown as Viewer;
  return { viewer, sent };
}

t.test('text goes by keys where they can type it, and as it is where they cannot', async (t) => {
  const { viewer, sent } = viewerWith(['typeText', 'insertText']);
  t.same(await typeText(viewer, 'a\r\nb'), { left: '', reason: '' });
  t.same(await typeText(viewer, `${TEXT}\ud800`), { left: '', reason: '' });
  t.same(sent, [
    ['typeText', 'a\nb'],
    ['insertText', `${TEXT}\ufffd`],
  ]);
  t.equal(cannotType(viewer, TEXT), '');
});

t.test('a device that inserts no text is typed what its keys have, and the person keeps the whole', async (t) => {
  const { viewer, sent } = viewerWith(['typeText']);
  t.match(cannotType(viewer, 'Grüße'), /cannot type ü ß/);
  t.match(await typeText(viewer, '“Grüße”'), { left: '“Grüße”', reason: /cannot type ü ß\. The rest was typed/ });
  t.same(sent, [['typeText', '"Gre"']]);
});

t.test('a long text goes in parts, and what is left after a failure is kept', async (t) => {
  const { viewer, sent } = viewerWith(['typeText', 'insertText'], 1);
  const text = '😀'.repeat(3_000);
  t.same(await typeText(viewer, text), { left: '😀'.repeat(1_000), reason: 'Not sent.' });
  t.same(sent, [['insertText', '😀'.repeat(2_000)]]);
});

for (const platform of ['ios', 'android'] as const) {
  t.test(`text of any language, typed as a person does, on ${platform}`, { skip: withoutBrowser }, async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const session = await server.rest.createSession(platform);
    const browser = await startBrowser(t);
    const viewer = await ViewerPage.open(browser, session, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = viewer;
    const devTools = await page.context().newCDPSession(page);
    const text = async () => (await server.inspect(platform, session.id)).app.text;
    const until = async (wanted: string) => {
      for (let waitMs = 10; waitMs < 10_000 && (await text()) !== wanted; waitMs *= 1.5)
        await page.waitForTimeout(waitMs);
      t.equal(await text(), wanted);
    };
    const clear = async () => {
      for (const _ of [...((await text()) as string)]) await page.keyboard.press('Backspace');
      await until('');
    };

    await viewer.click(NOTES[platform].x, NOTES[platform].y);
    for (let look = 0; (await server.inspect(platform, session.id)).foreground !== 'notes' && look < 50; look++) {
      await page.waitForTimeout(50);
    }
    for (const character of TEXT) await pressCharacter(devTools, character);
    await until(TEXT);
    await clear();

    await compose(devTools, ['Gr', 'Gru', 'Gruss'], 'Grüße');
    await page.keyboard.press('Space');
    await compose(devTools, ['n', 'ni', 'nihao'], '你好');
    await page.keyboard.press('Space');
    // An emoji picker gives its text without a composition.
    await page.keyboard.insertText('😀');
    await page.keyboard.press('Space');
    await compose(devTools, ['´'], 'é');
    await until(TEXT);
    t.equal(await page.locator('.keys').inputValue(), '', 'the field keeps nothing');
    await clear();

    await page.evaluate((text) => navigator.clipboard.writeText(text), TEXT);
    await page.locator('.keys').focus();
    await page.keyboard.press('Control+V');
    await until(TEXT);
    await clear();

    await server.rest.call('PUT', `/service/${platform}/${session.id}/clipboard`, { text: 'copied 你好' });
    await page.getByRole('button', { name: 'Copy from device' }).click();
    await page.getByText('The text was copied from the device.').waitFor();
    t.equal(await page.evaluate(() => navigator.clipboard.readText()), 'copied 你好');

    await page.getByRole('button', { name: 'Insert text' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(`${TEXT}\n“quoted”`);
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await until(`${TEXT}\n“quoted”`);
    t.same(viewer.faults, []);
  });
}
