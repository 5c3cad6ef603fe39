import t from 'tap';
import { PHONE_FILES, PhoneFiles } from '../../../server/phone/files.ts';
import { savedPhoneFault } from '../../../server/phone/saved-state.ts';
import { HOSTILE_NAMES } from '../../support/hostile-names.ts';
import { ManualPhone } from '../manual-phone.ts';

const shared = (path: string) => ({ root: 'shared', path });
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const told = (subject: ManualPhone) => JSON.stringify(subject.phone.describe().nodes);

for (const platform of ['ios', 'android'] as const) {
  t.test(
    `the shared folder is a list; a folder is opened by a tap, and left by one on its name, ${platform}`,
    async (t) => {
      const subject = new ManualPhone(platform);
      subject.open('files');
      t.match(subject.app, { path: '', files: [] });
      t.ok(told(subject).includes('No files'));
      const before = Buffer.from(subject.phone.render().pixels);
      subject.phone.files.write(shared('b.txt'), bytes('hello'));
      subject.phone.files.write(shared('a folder/inner.bin'), bytes('12345'));
      t.same(subject.app.files, ['a folder', 'b.txt']);
      t.not(Buffer.compare(Buffer.from(subject.phone.render().pixels), before), 0, 'it is seen at once');
      t.ok(told(subject).includes('"5 B"'));
      t.same(subject.phone.redraw().pixels, subject.phone.render().pixels);
      const { x, y, width } = subject.layout().viewport;
      const row = { x: x + width / 2, y: y + subject.theme.px(62 + 26) };
      subject.tap(row);
      t.match(subject.app, { path: 'a folder', files: ['inner.bin'] });
      subject.tap(row);
      t.match(subject.app, { path: 'a folder' }, 'a file is no folder');
      subject.tap({ x: x + width / 2, y: y + subject.theme.px(40) });
      t.match(subject.app, { path: '', files: ['a folder', 'b.txt'] });
      subject.tap(row);
      subject.phone.files.remove(shared('a folder/inner.bin'));
      subject.phone.files.remove(shared('a folder'));
      t.match(subject.app, { path: '', files: ['b.txt'] }, 'what is gone is left');
      subject.phone.close();
    },
  );
}

t.test('names are shown without what they would do to the line, and told as they are', async (t) => {
  const subject = new ManualPhone('ios');
  subject.open('files');
  for (const name of HOSTILE_NAMES) subject.phone.files.write(shared(name), bytes(name));
  t.same([...(subject.app.files as string[])].sort(), [...HOSTILE_NAMES].sort());
  t.same(subject.phone.redraw().pixels, subject.phone.render().pixels);
  const names = new Set<string>();
  for (let pages = 0; pages < 8; pages++) {
    const walk = (
      nodes: readonly { readonly id?: string; readonly name?: string; readonly children?: unknown }[],
    ): void => {
      for (const node of nodes) {
        if (/^files\.\d+$/.test(node.id ?? '')) names.add(node.name ?? '');
        walk((node.children ?? []) as typeof nodes);
      }
    };
    walk(subject.phone.describe().nodes as never);
    subject.phone.scroll(0, 0.5, undefined, subject.nextSeq());
    subject.clock.advance(1_000);
  }
  t.equal(names.size, HOSTILE_NAMES.length);
  subject.phone.close();
});

t.test('there is room for so many bytes and entries, and what finds none changes nothing', async (t) => {
  const files = new PhoneFiles({ wallMs: () => 0 }, () => undefined);
  files.write(shared('half'), new Uint8Array(PHONE_FILES.bytesMax / 2));
  files.write(shared('rest'), new Uint8Array(PHONE_FILES.bytesMax / 2));
  t.throws(() => files.write(shared('new folder/one more'), bytes('x')), {
    kind: 'failed',
    message: /has room for 16777216/,
  });
  t.same(files.list(shared('')).entries.length, 2, 'no folder either');
  files.write(shared('half'), bytes('small'));
  files.write(shared('one more'), bytes('x'));
  files.remove(shared('rest'));
  files.remove(shared('half'));
  files.remove(shared('one more'));
  for (let count = 0; count < PHONE_FILES.entriesMax; count++)
    files.write({ root: 'app:a', path: `f${count}` }, bytes(''));
  t.throws(() => files.write(shared('one more'), bytes('')), { message: /1000 files and folders/ });
  files.clear('app:a');
  for (let count = 0; count < PHONE_FILES.entriesMax; count++) files.write(shared(`f${count}`), bytes(''));
  t.equal(files.list(shared('')).entries.length, 1_000);
});

t.test('what is asked of the wrong kind, or is not there, is refused by name', async (t) => {
  const files = new PhoneFiles({ wallMs: () => 0 }, () => undefined);
  files.write(shared('a/b'), bytes('x'));
  t.throws(() => files.read(shared('a')), { message: /"a" in the shared folder is a folder, and no file/ });
  t.throws(() => files.list(shared('a/b')), { message: /"a\/b" in the shared folder is a file, and no folder/ });
  t.throws(() => files.write(shared('a/b/c'), bytes('')), { message: /"a\/b".* is a file, and no folder/ });
  t.throws(() => files.write(shared('a'), bytes('')), { message: /is a folder, and no file/ });
  t.throws(() => files.remove(shared('a')), { message: /not empty/ });
  for (const path of ['none', 'none/b', 'a/none', 'a/b/c']) {
    t.throws(() => files.remove(shared(path)), { message: new RegExp(`There is no "${path}"`) });
    t.throws(() => files.read(shared(path)), { message: /There is no/ });
  }
  t.same(files.list({ root: 'app:none', path: '' }), { entries: [] });
});

t.test('files are part of a state, which has the same files for whoever takes it over', async (t) => {
  const one = new ManualPhone('ios');
  const other = new ManualPhone('ios');
  const empty = JSON.parse(JSON.stringify(one.phone.save()));
  t.notOk('files' in empty);
  for (const name of HOSTILE_NAMES.filter((name) => Buffer.byteLength(name) < 100)) {
    one.phone.files.write(shared(`folder/${name}/${name}`), bytes(name));
  }
  one.open('files');
  const saved = JSON.parse(JSON.stringify(one.phone.save()));
  t.equal(savedPhoneFault(saved), undefined);
  other.phone.restore(saved);
  t.same(other.phone.save(), one.phone.save());
  t.same(other.phone.files.list(shared('folder')), one.phone.files.list(shared('folder')));
  other.phone.restore(empty);
  t.same(other.phone.files.list(shared('')), { entries: [] });
  const file = { root: 'shared', path: 'a', modifiedMs: 1, base64: 'eA==' };
  for (const [files, path] of [
    [[{ ...file, path: '../a' }], 'files[0].path'],
    [[{ ...file, root: 'app:none' }], 'files[0]'],
    [[file, { ...file, path: 'a/b' }], 'files[1]'],
    [[{ ...file, path: 'b/c' }], 'files[0]'],
    [[file, file], 'files[1]'],
    [[{ ...file, base64: '!' }], 'files[0].base64'],
    [Array.from({ length: 1_001 }, (_, index) => ({ ...file, path: `${index}` })), 'files'],
  ] as const) {
    t.equal(savedPhoneFault({ ...saved, files })?.path, path);
  }
  one.phone.close();
  other.phone.close();
});

t.test('a note is a file while Notes runs', async (t) => {
  const subject = new ManualPhone('ios');
  t.equal(subject.phone.apps.filesOf('notes'), 'none');
  subject.open('notes');
  subject.phone.typeText('hello', subject.nextSeq());
  const page = subject.phone.apps.filesOf('notes');
  t.ok(page && page !== 'none' && page.read() === 'hello');
  if (!page || page === 'none') return;
  const before = Buffer.from(subject.phone.render().pixels);
  page.write('Grüße 😀\nline');
  t.equal(subject.app.text, 'Grüße 😀\nline');
  t.not(Buffer.compare(Buffer.from(subject.phone.render().pixels), before), 0);
  t.throws(() => page.write('x'.repeat(60_000)), { message: /no room/ });
  t.equal(subject.app.text, 'Grüße 😀\nline', 'it stays as it was');
  subject.phone.close();
});
