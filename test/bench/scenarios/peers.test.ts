import t from 'tap';
import { chromiumProgram } from '../../../bench/photon/chromium.ts';
import { BrowserProcess } from '../../../bench/processes/browser-process.ts';
import { peersInstalled } from '../../../bench/processes/peers.ts';
import { socketIoTap, webDriverTap } from '../../../bench/scenarios/peers/messages.ts';
import { peers } from '../../../bench/scenarios/peers/peers.ts';
import { PEER_ROWS, SUBJECTS } from '../../../bench/scenarios/peers/rows.ts';
import { peerComparisons } from '../../../bench/scenarios/peers/targets.ts';
import type { RowFigures } from '../../../bench/scenarios/tap/figures.ts';

const browser = chromiumProgram() !== undefined;
if (!browser && process.env.CI) throw new Error('Chromium is not installed, and CI must measure beside it');

t.test('every comparison names two rows that are measured', async (t) => {
  const names = new Set(PEER_ROWS.map(({ name }) => name));
  t.equal(names.size, PEER_ROWS.length);
  for (const { of, to } of peerComparisons('two-cores')) t.ok(names.has(of) && names.has(to), `${of} / ${to}`);
});

t.test('each layout has its own goal beside Appium, and browsers stand where each side has a core', async (t) => {
  const goals = (layout: 'one-core' | 'two-cores') => peerComparisons(layout).flatMap(({ target }) => target ?? []);
  t.same(goals('one-core'), [10, 4, 50]);
  t.same(goals('two-cores'), [3, 60, 4, 50]);
  t.ok(peerComparisons('two-cores').every(({ target, bound }) => target === undefined || bound === 'at least'));
});

t.test('a tap is an event of socket.io whose acknowledgement has its digits for an id', async (t) => {
  const { bytes, digitsAt } = socketIoTap('peer-1');
  const text = Buffer.from(bytes).toString();
  t.equal(digitsAt, 2);
  t.equal(text, '420000000000["interaction",{"requestId":"peer-1","action":"tap","x":0.4375,"y":0.53125}]');
});

t.test('a tap is one whole request of W3C actions, as long as it says', async (t) => {
  const { bytes, digitsAt } = webDriverTap({ host: '127.0.0.1', port: 4723, sessionId: 's-1' });
  const text = Buffer.from(bytes).toString();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  t.match(head, /^POST \/session\/s-1\/actions HTTP\/1\.1\r\nHost: 127\.0\.0\.1:4723\r\n/);
  t.match(head, `Content-Length: ${body.length}`);
  t.equal(text.slice(digitsAt, digitsAt + 10), '0000000000');
  const { actions } = JSON.parse(body) as { actions: { id: string; actions: { type: string }[] }[] };
  t.equal(actions[0]?.id, 'finger-0000000000');
  t.same(
    actions[0]?.actions.map(({ type }) => type),
    ['pointerMove', 'pointerDown', 'pointerUp'],
  );
});

t.test(
  'the service is measured beside the peers that are installed; the report says what installs the others',
  async (t) => {
    const { text, figures, goals } = await peers.run({
      seconds: 0.25,
      rounds: 1,
      layouts: ['one-core'],
      controlsOnly: false,
      progress: () => undefined,
    });
    const { layouts } = figures as { layouts: readonly { rows: readonly RowFigures[] }[] };
    const rows = layouts[0]?.rows ?? [];
    for (const { name, p50Us, perSecond } of rows) t.ok(p50Us > 0 && perSecond > 0, name);
    const subjects = new Set(rows.map(({ subject }) => subject));
    if (peersInstalled()) {
      t.same(
        subjects,
        new Set([
          SUBJECTS.RunCloud,
          SUBJECTS.WebDriver,
          SUBJECTS['socket.io'],
          SUBJECTS['socket.io, device thread'],
          SUBJECTS.Appium,
        ]),
      );
      t.same(
        goals?.map(({ goal }) => goal),
        [10, 4, 50],
      );
      t.notMatch(text, 'not installed');
    } else {
      t.same(subjects, new Set([SUBJECTS.RunCloud, SUBJECTS.WebDriver]));
      t.same(goals, [], 'a goal beside a peer that is not there is neither kept nor missed');
      t.match(text, 'npm run bench:peers');
    }
  },
);

t.test(
  'a page in a browser is tapped over DevTools and by Playwright',
  { skip: browser ? false : 'NO BROWSER: nothing to tap' },
  async (t) => {
    const process = new BrowserProcess();
    t.teardown(() => process.stop());
    for (const by of ['DevTools', 'Playwright'] as const) {
      const { p50Us, p99Us, answers } = await process.run({ by, measureMs: 200 });
      t.ok(answers > 0 && p50Us > 0 && p50Us <= p99Us, by);
    }
  },
);
