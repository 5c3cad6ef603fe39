import t from 'tap';
import { loadMs, NO_LIMITS } from '../../server/phone/network.ts';
import { ManualPhone } from './manual-phone.ts';
import { nodesOf, tap } from './ui-places.ts';

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

for (const platform of ['ios', 'android'] as const) {
  t.test(`over a slow network pages come at its rate, with progress, on ${platform}`, async (t) => {
    const phone = new ManualPhone(platform);
    t.teardown(() => phone.phone.close());
    const names = () => nodesOf(phone).map(({ name }) => name);
    const isHere = (host: string) => nodesOf(phone).some(({ role, name }) => role === 'heading' && name === host);
    const progress = () => nodesOf(phone).find(({ id }) => id === 'browser.progress')?.value;
    const open = (url: string) => {
      phone.phone.openUrl(url, phone.nextSeq());
      phone.clock.advance(1_000);
    };
    const fast = phone.phone.render().pixels.slice();
    phone.phone.settings.limitNetwork({ downlinkKbps: 200, networkDelayMs: 100 });
    t.notOk(isSame(phone.phone.render().pixels, fast), 'the status bar shows it');
    t.match(
      nodesOf(phone).find(({ id }) => id === 'system.slow'),
      { name: 'Slow network', value: '200 kbit/s down, 100 ms late' },
    );
    // 250,000 bytes at 200 kbit/s and two answers: 10.2 s.
    open('https://news.example/');
    t.equal(progress(), '9 %');
    t.notOk(isHere('news.example'), 'nothing of it is here');
    t.ok(phone.phone.animating);
    const early = phone.phone.render().pixels.slice();
    phone.clock.advance(4_100);
    t.equal(progress(), '50 %');
    t.notOk(isSame(phone.phone.render().pixels, early), 'the bar has grown');
    phone.clock.advance(5_200);
    t.equal(progress(), undefined);
    t.ok(isHere('news.example'));
    phone.phone.render();
    phone.phone.render();
    t.notOk(phone.phone.animating, 'and then it stands still');
    t.match(phone.app, { isUnreached: false, loading: undefined });
    tap(phone, 'browser.reload');
    t.ok(progress(), 'so does it again');
    phone.phone.settings.setNetwork('offline');
    t.ok(names().includes('You are offline'), 'a page on its way is cut off');
    phone.phone.settings.setNetwork('online');
    phone.phone.settings.limitNetwork({ networkLossPercent: 100 });
    open('https://maps.example/');
    phone.clock.advance(28_900);
    t.ok(progress() !== undefined, 'a page of which nothing comes is waited for');
    phone.clock.advance(200);
    t.ok(names().includes('maps.example takes too long to answer.'), 'and given up');
    t.match(phone.app, { isUnreached: true });
    phone.phone.settings.limitNetwork(NO_LIMITS);
    tap(phone, 'browser.reload');
    t.ok(isHere('maps.example'), 'without limits it is there at once');
    t.notOk(names().includes('Slow network'));
  });
}

t.test('a test card comes as slowly, and takes no touch before', async (t) => {
  const phone = new ManualPhone('ios');
  t.teardown(() => phone.phone.close());
  phone.phone.settings.limitNetwork({ downlinkKbps: 400 });
  phone.phone.openUrl('https://news.example/', phone.nextSeq());
  phone.clock.advance(1_000);
  const saved = phone.phone.save();
  phone.clock.advance(10_000);
  t.notOk('loading' in phone.app && phone.app.loading !== undefined);
  phone.phone.restore(saved);
  t.match(phone.app, { loading: 0 }, 'a state that is taken over asks for it anew');
});

t.test('each limit makes a page later, and losses most where answers are late', async (t) => {
  const at = (limits: object) => loadMs({ ...NO_LIMITS, ...limits });
  t.equal(at({}), 0);
  t.equal(at({ downlinkKbps: 2_000 }), 1_000);
  t.equal(at({ uplinkKbps: 8 }), 1_000);
  t.equal(at({ networkDelayMs: 500 }), 1_000);
  t.equal(at({ networkLossPercent: 100 }), Number.POSITIVE_INFINITY);
  const lossy = at({ networkLossPercent: 1 });
  t.ok(lossy > 100 && lossy < 1_000, `${lossy} ms`);
  t.ok(at({ networkLossPercent: 1, networkDelayMs: 500 }) > lossy + 1_000);
  t.ok(at({ networkLossPercent: 50, downlinkKbps: 2_000 }) > 2_000);
});
