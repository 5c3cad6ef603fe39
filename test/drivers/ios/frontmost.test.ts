import t from 'tap';
import { isBundleIdentifier, isFocal, readRunningApps } from '../../../server/drivers/ios/frontmost.ts';

const PRINTED = `user/501 = {
	type = user
	services = {
		     512      - 	com.apple.SpringBoard
		    8123      - 	UIKitApplication:com.example.notes[9b2f][rb-legacy]
		       0      - 	UIKitApplication:com.example.gone[1a2b][rb-legacy]
		    8200     -9 	UIKitApplication:com.apple.Preferences[77aa][rb-legacy]
		    8300      - 	UIKitApplication:com.example.$(touch x)[77aa]
		    8400      - 	UIKitApplication:--all[77aa]
	}
}`;

t.test(
  'apps with a process are read off what launchctl prints, and nothing that could be more than a name',
  async (t) => {
    t.same(readRunningApps(PRINTED), [
      { bundle: 'com.example.notes', service: 'UIKitApplication:com.example.notes[9b2f][rb-legacy]', pid: 8123 },
      {
        bundle: 'com.apple.Preferences',
        service: 'UIKitApplication:com.apple.Preferences[77aa][rb-legacy]',
        pid: 8200,
      },
    ]);
    t.same(readRunningApps(''), []);
  },
);

t.test('the app in front is the one that runs with the focal role', async (t) => {
  t.equal(isFocal('\tstate = running\n\tspawn role = ui focal (1)\n'), true);
  t.equal(isFocal('\tstate = running\n\tspawn role = ui non focal\n'), false);
  t.equal(isFocal('\tstate = waiting\n\tspawn role = ui focal\n'), false);
  t.equal(isFocal('description = state = running spawn role = ui focal'), false);
});

t.test('a bundle identifier is a reverse domain name', async (t) => {
  t.equal(isBundleIdentifier('com.example.my-App2'), true);
  for (const text of ['', '-x', 'a b', 'a;b', `a${'b'.repeat(200)}`, 'a\n', 'ä']) {
    t.equal(isBundleIdentifier(text), false, JSON.stringify(text));
  }
});
