import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { capturedWalk } from '../support/captured-walk.ts';

/** How often the flow of one walk runs on each phone. */
const ROUNDS = Number(process.env.RUNCLOUD_ROUNDS ?? 100);

t.test(
  `a captured walk runs ${ROUNDS} times on both platforms, on each to the same screen`,
  { skip: withoutBrowser },
  async (t) => {
    const { run } = await capturedWalk(t, await startBrowser(t));
    for (const platform of ['ios', 'android'] as const) {
      let first: readonly string[] | undefined;
      for (let round = 1; round <= ROUNDS; round++) {
        const { code, stdout, said } = await run({ platform }, platform);
        first ??= said;
        const end = stdout.split('\n').slice(-8).join('\n');
        if (code !== 0 || said.join() !== first.join())
          t.fail(`${platform}, round ${round}: ${end}\n${said.join(', ')}`);
      }
      t.ok(first?.includes('textfield Note Milk!'), platform);
    }
  },
);
