import t from 'tap';
import { Clipboard } from '../../../server/phone/system/clipboard.ts';
import { ManualPhone } from '../manual-phone.ts';

t.test('it tells of each other text, and of the same text nothing', async (t) => {
  const clipboard = new Clipboard();
  const told: string[] = [];
  clipboard.text = 'nobody listens';
  clipboard.onChange(() => told.push(clipboard.text));
  for (const text of ['one', 'one', '', '', 'two']) clipboard.text = text;
  t.same(told, ['one', '', 'two']);
});

t.test('a phone has one clipboard for its keys, its apps and whoever sets it', async (t) => {
  const subject = new ManualPhone('android');
  const told: string[] = [];
  subject.phone.onClipboard(() => told.push(subject.phone.clipboard));
  subject.open('notes');
  subject.phone.typeText('of an app', 1);
  for (const key of ['a', 'c'] as const) subject.press(key, ['control']);
  subject.press('c', ['control']);
  subject.phone.clipboard = 'from outside';
  subject.press('v', ['control']);
  t.equal(subject.app.text, 'from outside');
  t.same(told, ['of an app', 'from outside']);
});
