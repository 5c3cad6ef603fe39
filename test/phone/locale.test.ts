import t from 'tap';
import { dateWords, hasLocale, USUAL_LOCALE } from '../../server/phone/locale.ts';
import { ManualPhone } from './manual-phone.ts';
import { nodesOf } from './ui-places.ts';

const GERMAN_DAY = /^(Mo|Diens|Donners|Frei|Sams|Sonn)(n)?tag|^Mittwoch/;
const TUESDAY_MS = Date.UTC(2026, 10, 24, 9, 41);

t.test('dates are written as a locale has them', async (t) => {
  t.same(dateWords(TUESDAY_MS, USUAL_LOCALE), {
    day: 'Tuesday',
    date: 24,
    month: 'November',
    long: 'Tuesday, 24 November',
  });
  t.same(dateWords(TUESDAY_MS, 'de-DE'), {
    day: 'Dienstag',
    date: 24,
    month: 'November',
    long: 'Dienstag, 24. November',
  });
  t.match(dateWords(TUESDAY_MS, 'fr-FR'), { day: 'mardi', month: 'novembre', long: /^mardi 24 novembre$/ });
  t.match(dateWords(TUESDAY_MS, 'ja-JP'), { day: '火曜日', month: '11月', long: /^11月24日/ });
  t.match(dateWords(TUESDAY_MS, 'ko-KR'), { day: '화요일' });
});

t.test('a phone has the locales whose words and letters it has', async (t) => {
  for (const locale of [
    'en',
    'en-US',
    'de-DE',
    'de',
    'fr-CA',
    'es-419',
    'pl-PL',
    'ru-RU',
    'el-GR',
    'vi-VN',
    'ja-JP',
    'ko-KR',
    'zh-Hans-CN',
  ])
    t.ok(hasLocale(locale), locale);
  for (const locale of ['xx-XX', 'ar-EG', 'he-IL', 'hi-IN', 'th-TH']) t.notOk(hasLocale(locale), locale);
});

for (const platform of ['ios', 'android'] as const) {
  t.test(`the home screen shows its date by the locale, on ${platform}`, async (t) => {
    const device = new ManualPhone(platform);
    const { phone } = device;
    t.teardown(() => phone.close());
    const names = () => nodesOf(device).map(({ name }) => name ?? '');
    t.notOk(names().some((name) => GERMAN_DAY.test(name)));
    phone.settings.setLocale('de-DE');
    t.ok(
      names().some((name) => GERMAN_DAY.test(name)),
      names().join(', '),
    );
    phone.settings.setLocale('en-GB');
    t.notOk(names().some((name) => GERMAN_DAY.test(name)));
  });
}
