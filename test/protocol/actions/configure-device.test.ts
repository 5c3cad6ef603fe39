import t from 'tap';
import { accept, refuse } from '../checks.ts';

const action = 'configureDevice';

t.test('any of the settings may be changed, and none', async (t) => {
  for (const fields of [
    {},
    { appearance: 'light' },
    { textScale: 0.5 },
    { locale: 'de' },
    { locale: 'zh-Hans-CN' },
    { locale: 'es-419' },
    { downlinkKbps: 0, uplinkKbps: 1_000_000, networkDelayMs: 60_000, networkLossPercent: 0.5 },
    { textScale: 4, animations: false, appearance: 'dark', network: 'offline' },
  ]) {
    t.same(accept({ action, ...fields }), { action, ...fields, requestId: 'made', timeoutMs: 15_000 });
  }
});

t.test('what is no setting, or no value of one, is refused by the name of its field', async (t) => {
  for (const bad of ['Dark', 'auto', '', 1, true, null]) {
    t.equal(refuse({ action, appearance: bad }, 'appearance', t).message, 'must be one of light, dark');
  }
  for (const bad of [0.49, 4.01, '1', Number.NaN, null]) refuse({ action, textScale: bad }, 'textScale', t);
  for (const bad of ['on', 1, null]) refuse({ action, animations: bad }, 'animations', t);
  for (const bad of ['on', true, '', null]) {
    t.equal(refuse({ action, network: bad }, 'network', t).message, 'must be one of online, offline');
  }
  for (const bad of [-1, 1_000_001, 0.5, '400', null]) {
    refuse({ action, downlinkKbps: bad }, 'downlinkKbps', t);
    refuse({ action, uplinkKbps: bad }, 'uplinkKbps', t);
  }
  for (const bad of [-1, 60_001, 1.5, '1s', null]) refuse({ action, networkDelayMs: bad }, 'networkDelayMs', t);
  for (const bad of [-0.1, 100.1, '1', null]) refuse({ action, networkLossPercent: bad }, 'networkLossPercent', t);
  for (const bad of ['', 'DE', 'de_DE', 'de-de', 'de-DE ', '$(id)', 1, null])
    refuse({ action, locale: bad }, 'locale', t);
  refuse({ action, language: 'de' }, 'language', t);
});
