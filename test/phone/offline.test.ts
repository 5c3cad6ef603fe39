import t from 'tap';
import { ManualPhone } from './manual-phone.ts';
import { nodesOf, tap } from './ui-places.ts';

for (const platform of ['ios', 'android'] as const) {
  t.test(`without a network pages stay that are shown, and no other is reached, on ${platform}`, async (t) => {
    const phone = new ManualPhone(platform);
    t.teardown(() => phone.phone.close());
    const names = () => nodesOf(phone).map(({ name }) => name);
    const isOffline = () => names().includes('You are offline');
    phone.phone.openUrl('https://news.example/', phone.nextSeq());
    phone.clock.advance(1_000);
    phone.phone.settings.setNetwork('offline');
    t.ok(names().includes('No network'), 'the status bar says it');
    t.ok(names().includes('news.example'));
    t.notOk(isOffline());
    tap(phone, 'browser.reload');
    t.ok(isOffline());
    phone.phone.openUrl('https://maps.example/', phone.nextSeq());
    phone.clock.advance(1_000);
    t.ok(names().includes('maps.example cannot be reached without a network.'));
    t.match(phone.app, { address: 'https://maps.example/', isUnreached: true });
    phone.phone.settings.setNetwork('online');
    t.ok(isOffline(), 'nothing loads by itself');
    tap(phone, 'browser.reload');
    t.notOk(isOffline());
    t.match(phone.app, { loads: 1, isUnreached: false });
    t.notOk(names().includes('No network'));
  });
}
