import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const inForce = async (subject: Subject) => (await subject.do({ action: 'configureDevice' })).result;

const OTHERS = { animations: [false, true], textScale: [1.35, 1], network: ['offline', 'online'] };

const LACKS: Readonly<Record<string, readonly string[]>> = {
  virtual: ['textScale'],
  // Their adb comes over the network.
  'android-adb': ['network'],
  'android-scrcpy-3': ['network'],
  'android-scrcpy-4': ['network'],
  'ios-simulator': ['animations', 'network'],
  'ios-idb': ['animations', 'network'],
};

conform([
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
