import { conform } from './conform.ts';

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

conform([
  {
    title: 'typed text arrives as it is, every printable character, tab and line feed',
    async prove(t, subject) {
      await subject.open('notes');
      const before = await subject.stillPicture();
      const text = `${PRINTABLE}\n\tindented\n\nend`;
      const { result } = await subject.do({ action: 'typeText', text });
      t.same(result, { characterCount: text.length });
      t.equal((await subject.app()).text, text);
      t.not(Buffer.compare(await subject.stillPicture(), before), 0, 'the text is to be seen');
    },
  },
  {
    title: 'texts typed one after the other stand one after the other',
    async prove(t, subject) {
      await subject.open('notes');
      for (const text of ['a', 'bc', '\n', 'd']) await subject.do({ action: 'typeText', text });
      t.equal((await subject.app()).text, 'abc\nd');
    },
  },
  {
    title: 'the longest text that is allowed arrives whole',
    async prove(t, subject) {
      await subject.open('notes');
      const text = 'twenty characters ok'.repeat(500);
      t.same((await subject.do({ action: 'typeText', text })).result, { characterCount: 10_000 });
      t.equal((await subject.app()).text, text);
    },
  },
  {
    title: 'text goes into the field that was tapped, and its line feed enters it',
    async prove(t, subject) {
      await subject.open('browser');
      const { height } = await subject.pixels();
      const { scale } = subject.stage.session.device;
      const bar = (subject.platform === 'ios' ? 50 : 34) + 28;
      await subject.do({ action: 'tap', x: 0.5, y: (bar * scale) / height });
      await subject.do({ action: 'typeText', text: 'example.org/page\n' });
      t.match(await subject.inspect(), { foreground: 'browser', app: { address: 'https://example.org/page' } });
    },
  },
  {
    title: 'text that nothing takes is acknowledged and changes no app',
    async prove(t, subject) {
      t.same((await subject.do({ action: 'typeText', text: 'nobody' })).result, { characterCount: 6 });
      t.equal((await subject.inspect()).foreground, 'home');
    },
  },
]);
