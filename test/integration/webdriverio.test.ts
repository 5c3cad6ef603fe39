import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { remote } from 'webdriverio';
import { startServer, TEST_KEY } from '../support/server.ts';

/** WebdriverIO as npm has it: a suite that a person would write for an app, which knows nothing of this service but its address. */

const server = await startServer();
t.teardown(() => server.close());
const { hostname, port } = new URL(server.url);

async function open(t: Test, platformName: 'iOS' | 'Android', key = TEST_KEY) {
  const browser = await remote({
    protocol: 'http',
    hostname,
    port: Number(port),
    path: '/wd',
    headers: { Authorization: `Bearer ${key}` },
    logLevel: 'silent',
    connectionRetryCount: 0,
    capabilities: { platformName, 'appium:automationName': platformName === 'iOS' ? 'XCUITest' : 'UiAutomator2' },
  });
  t.teardown(() => browser.deleteSession());
  return browser;
}

for (const platformName of ['iOS', 'Android'] as const) {
  const isIos = platformName === 'iOS';
  t.test(`a suite for Notes and Settings, on ${platformName}`, { timeout: 120_000 }, async (t) => {
    const browser = await open(t, platformName);
    t.match(browser, { isMobile: true, isIOS: isIos, isAndroid: !isIos });

    await browser.$('~Notes').click();
    const note = browser.$('~Note');
    await note.waitForDisplayed();
    await note.setValue('Milk');
    await note.addValue('\uE007Bread & butter');
    t.equal(await note.getText(), 'Milk\nBread & butter');
    await note.setValue('牛乳');
    t.equal(await note.getText(), '牛乳');
    await note.clearValue();
    t.equal(await note.getText(), '');
    t.equal(await note.isEnabled(), true);
    t.equal(await browser.$('~Nowhere').isExisting(), false);
    const texts = await browser
      .$$(isIos ? '//XCUIElementTypeStaticText' : '//android.widget.TextView')
      .map((text) => text.getText());
    t.ok(texts.includes('Notes'), texts.join(', '));

    const [{ x, y }, { width, height }] = [await note.getLocation(), await note.getSize()];
    const finger = browser.action('pointer', { parameters: { pointerType: 'touch' } });
    await finger
      .move({ x: x + width / 2, y: y + height / 2 })
      .down()
      .pause(30)
      .up()
      .perform();
    await browser.keys(['o', 'k']);
    t.equal(await note.getText(), 'ok');
    t.match(
      Buffer.from(await browser.takeScreenshot(), 'base64')
        .subarray(1, 4)
        .toString(),
      'PNG',
    );
    t.match(await browser.getPageSource(), isIos ? '<XCUIElementTypeApplication' : '<hierarchy');

    await browser.setOrientation('LANDSCAPE');
    const size = await browser.getWindowSize();
    t.ok(size.width > size.height);
    await browser.setOrientation('PORTRAIT');

    await browser.execute('mobile: activateApp', { appId: 'settings' });
    const animations = browser.$(isIos ? '//XCUIElementTypeSwitch[1]' : '//android.widget.Switch[1]');
    await animations.waitForDisplayed();
    const before = await animations.getAttribute(isIos ? 'value' : 'checked');
    await animations.click();
    t.not(await animations.getAttribute(isIos ? 'value' : 'checked'), before);
    if (!isIos) {
      await browser.back();
      await browser.$('~Notes').waitForDisplayed();
    }
    t.match(await browser.getTimeouts(), { implicit: 0 });
  });
}

t.test('what is wrong is told in words', async (t) => {
  await t.rejects(open(t, 'iOS', 'wrong'), { message: /A valid API key is required/ });
  const browser = await open(t, 'iOS');
  await t.rejects(browser.$('//[').click(), { message: /cannot be evaluated/ });
  await t.rejects(
    browser.execute(() => document.title),
    { message: /Scripts are "mobile: "/ },
  );
});

t.test("README's program runs as it stands", async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, program = ''] = /```js\nimport \{ remote \} from 'webdriverio';\n(.*?)```/s.exec(readme) ?? [];
  const here = program.replace('8787', port);
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await AsyncFunction('remote', 'process', here)(remote, { env: { RUNCLOUD_API_KEY: TEST_KEY } });
});
