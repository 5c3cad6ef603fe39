import { readFileSync } from 'node:fs';
import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { capturedWalk } from '../support/captured-walk.ts';

t.test(
  'a walk by the mouse becomes a flow, which runs on other phones and says where one is broken',
  { skip: withoutBrowser },
  async (t) => {
    const { inputs, captured, file, end, run } = await capturedWalk(t, await startBrowser(t));
    t.ok(inputs >= 30, `${inputs} inputs`);
    t.equal(captured.code, 0, captured.stderr);
    t.match(
      captured.stdout,
      new RegExp(`a flow of ${inputs} inputs, \\d+ by name\n$`),
      'nothing is told by coordinates',
    );
    const text = readFileSync(file, 'utf8');
    t.notMatch(text, /point:|swipe|Left out/);
    t.match(text, /^- inputText: Milk$/m, 'what was corrected at once was never typed');
    t.match(text, /^- tapOn: # switch "Dark mode" by its id\n {4}id: settings\\\.darkMode$/m);
    t.match(text, /^- assertVisible: Sample # Sample has come to the front$/m);

    const same = await run({ platform: 'ios' }, 'ios');
    t.equal(same.code, 0, same.stdout.split('\n').slice(-6).join(' '));
    t.same(same.said, end, 'it leads to the same screen');
    for (const [request, ...apps] of [
      [{ platform: 'android' }, 'android'],
      [{ platform: 'ios', deviceModel: 'Virtual iPhone 3x' }, 'ios'],
      [{ platform: 'android', deviceModel: 'Virtual Fold' }, 'android'],
      [{ platform: 'android', deviceModel: 'Virtual Android 3x' }, 'android'],
      // Another app takes the place of this one, and moves those behind it.
      [{ platform: 'ios' }, 'other', 'ios'],
    ] as const) {
      const { code, stdout, said } = await run(request, ...apps);
      t.equal(code, 0, `${JSON.stringify(request)}: ${stdout.split('\n').slice(-6).join(' ')}`);
      t.ok(said.includes('textfield Note Milk!'), said.join(', '));
    }

    const broken = await run({ platform: 'ios' }, 'broken');
    t.equal(broken.code, 1);
    t.match(broken.stdout, /walk\.yaml:\d+:3: There is no "Sample" on the screen\./);
    t.match(broken.stdout, /output\/A-walk\/screen\.txt\n/);
    const missing = await run({ platform: 'android' });
    t.equal(missing.code, 1);
    t.match(
      missing.stdout,
      /walk\.yaml:5:3: There is no id "home\\\\?\.com\\\\?\.example\\\\?\.sample" on the screen\.\n/,
    );
  },
);
