import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const inForce = async (subject: Subject) => (await subject.do({ action: 'configureDevice' })).result;

const OTHERS = {
  animations: [false, true],
  textScale: [1.35, 1],
  locale: ['de-DE', 'en-GB'],
  network: ['offline', 'online'],
  downlinkKbps: [400, 0],
  uplinkKbps: [128, 0],
  networkDelayMs: [300, 0],
  networkLossPercent: [2.5, 0],
};
const LIMITS = ['downlinkKbps', 'uplinkKbps', 'networkDelayMs', 'networkLossPercent'];

const LACKS: Readonly<Record<string, readonly string[]>> = {
  // Their adb comes over the network.
  'android-adb': ['locale', 'network', ...LIMITS],
  'android-emulator': ['locale', 'networkLossPercent'],
  'android-scrcpy-3.3.4': ['locale', 'network', ...LIMITS],
  'android-scrcpy-4.1': ['locale', 'network', ...LIMITS],
  'ios-simulator': ['animations', 'network', ...LIMITS],
  'ios-simulator-idb': ['animations', 'network', ...LIMITS],
};

conform([
  {
    title: 'over a slow network a page comes later, and says how far it is',
    needs: ({ actions }) => actions.includes('configureDevice'),
    async prove(t, subject) {
      // The others refuse it, as the case below holds them to.
      if (subject.stage.driver.name !== 'virtual') return;
      await subject.open('browser');
      const before = await inForce(subject);
      const request = { action: 'configureDevice', downlinkKbps: 1_000, networkDelayMs: 250 };
      t.same((await subject.do(request)).result, { ...before, downlinkKbps: 1_000, networkDelayMs: 250 });
      const beganMs = performance.now();
      await subject.do({ action: 'tapElement', target: { id: 'browser.favourite.1' } });
      t.ok(typeof (await subject.app()).loading === 'number', 'it is on its way');
      await subject.until('it is here', ({ app }) => app.loading === undefined);
      const tookMs = performance.now() - beganMs;
      t.ok(tookMs > 2_400 && tookMs < 4_500, `${tookMs} ms for 2,500`);
      await subject.do({ action: 'configureDevice', downlinkKbps: 0, networkDelayMs: 0 });
      t.same(await inForce(subject), before);
    },
  },
  {
    title: 'the appearance is changed, told, and drawn, and changed back',
    needs: ({ actions }) => actions.includes('configureDevice'),
    async prove(t, subject) {
      await subject.open('settings');
      const before = await inForce(subject);
      t.match(before, { appearance: 'light' });
      const light = await subject.stillPicture();
      const { result } = await subject.do({ action: 'configureDevice', appearance: 'dark' });
      t.same(result, { ...before, appearance: 'dark' }, 'nothing else');
      t.equal((await subject.app()).appearance, 'dark');
      const dark = await subject.stillPicture();
      t.not(Buffer.compare(dark, light), 0);
      t.same(await inForce(subject), result, 'and told again');
      await subject.do({ action: 'configureDevice', appearance: 'light' });
      t.not(Buffer.compare(await subject.stillPicture(), dark), 0);
      t.equal((await subject.app()).appearance, 'light');
      t.same(await inForce(subject), before);
    },
  },
  {
    title: 'the other settings are changed, or named as what the device lacks, and then nothing is changed',
    needs: ({ actions }) => actions.includes('configureDevice'),
    async prove(t, subject) {
      const { name } = subject.stage.driver;
      const lacks = LACKS[name] ?? [];
      await subject.goHome();
      const before = await inForce(subject);
      for (const [field, values] of Object.entries(OTHERS)) {
        for (const value of values) {
          const request = { action: 'configureDevice', appearance: 'dark', [field]: value };
          const { acknowledgement } = await subject.ask({ ...request, requestId: `set-${Math.random()}` });
          if (lacks.includes(field)) {
            t.match(acknowledgement, {
              status: 'failed',
              error: { code: 'unsupported_action', message: new RegExp(`"${field}" is not supported`) },
            });
            t.same(await inForce(subject), before);
          } else {
            t.same(acknowledgement.result, { ...before, appearance: 'dark', [field]: value });
            await subject.do({ action: 'configureDevice', appearance: 'light' });
          }
        }
      }
      t.same(await inForce(subject), before);
    },
  },
]);
