import t from 'tap';
import { DeviceFault } from '../../../server/device/fault.ts';
import { settingsHandlers } from '../../../server/drivers/ios/simulator-settings.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';

const context = { inputSeq: 1, signal: new AbortController().signal };

/** A simulator that tells these of itself. */
function simulatorThatTells(appearance: string, size: string, locale?: string) {
  const set: (readonly string[])[] = [];
  const ui = async (_udid: Udid, words: readonly string[]) => {
    if (words.length > 1) set.push(words);
    return words[0] === 'appearance' ? appearance : size;
  };
  const defaults = async (_udid: Udid, words: readonly string[]) => {
    if (words[0] === 'write') set.push(words);
    if (locale === undefined) throw new DeviceFault('failed', 'does not exist');
    return locale;
  };
  return { set, configure: settingsHandlers({ ui, defaults }, '' as Udid).configureDevice };
}

t.test('the nearest size of text is taken, and what is told is a multiple of the usual one', async (t) => {
  const { set, configure } = simulatorThatTells('dark', 'accessibility-large');
  for (const textScale of [0.5, 0.95, 1, 1.04, 1.2, 1.35, 1.6, 2.3, 4]) {
    t.same(await configure?.({ textScale }, context), { appearance: 'dark', textScale: 1.94 });
  }
  t.same(
    set.map(([option, size]) => [option, size]),
    [
      'extra-small',
      'medium',
      'large',
      'large',
      'extra-extra-large',
      'extra-extra-extra-large',
      'accessibility-medium',
      'accessibility-extra-large',
      'accessibility-extra-extra-extra-large',
    ].map((size) => ['content_size', size]),
  );
});

t.test('what is told and is no value of a setting is left out', async (t) => {
  const { configure } = simulatorThatTells('unsupported', 'constructor');
  t.same(await configure?.({ appearance: 'dark' }, context), {});
});

t.test('a locale is written as Apple writes it, and read as BCP 47 does', async (t) => {
  const { set, configure } = simulatorThatTells('light', 'large', 'zh-Hans_CN@calendar=buddhist');
  const settings = { appearance: 'light', textScale: 1, locale: 'zh-Hans-CN' };
  t.same(await configure?.({ locale: 'zh-Hans-CN' }, context), settings);
  t.same(set, [
    ['write', '-g', 'AppleLanguages', '-array', 'zh-Hans-CN'],
    ['write', '-g', 'AppleLocale', 'zh-Hans_CN'],
  ]);
  for (const odd of ['', '(\n)', 'de-DE-1996', '__proto__']) {
    t.same(await simulatorThatTells('light', 'large', odd).configure?.({}, context), {
      appearance: 'light',
      textScale: 1,
    });
  }
});

t.test('animations are named as what is lacking, and nothing is set', async (t) => {
  const { set, configure } = simulatorThatTells('light', 'large');
  await t.rejects(async () => configure?.({ animations: false, appearance: 'dark' }, context), {
    kind: 'unsupported',
    message: /"animations"/,
  });
  t.same(set, []);
});
