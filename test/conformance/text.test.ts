import { conform } from './conform.ts';

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

const LANGUAGES = [
  'Grüße, crème brûlée, Łódź, İstanbul',
  'Ελληνικά, Кириллица, עברית, العربية',
  '你好，世界 · こんにちは · 안녕하세요 · नमस्ते · สวัสดี',
  'e\u0301 👩‍👩‍👧‍👦 🇩🇪 👍🏽 \u{1d11e}\t“quoted”',
  'end',
].join('\n');

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
    title: 'text of any language is inserted at the caret, whole',
    needs: ({ actions }) => actions.includes('insertText'),
    async prove(t, subject) {
      await subject.open('notes');
      const before = await subject.stillPicture();
      const { result } = await subject.do({ action: 'insertText', text: LANGUAGES });
      t.same(result, { characterCount: [...LANGUAGES].length });
      t.equal((await subject.app()).text, LANGUAGES);
      t.not(Buffer.compare(await subject.stillPicture(), before), 0, 'the text is to be seen');
      await subject.do({ action: 'pressKey', key: 'home', durationMs: 20 });
      await subject.do({ action: 'insertText', text: 'é' });
      const lines = LANGUAGES.split('\n');
      t.equal((await subject.app()).text, [...lines.slice(0, -1), `é${lines.at(-1)}`].join('\n'));
    },
  },
  {
    title: 'the longest text that may be inserted arrives whole',
    needs: ({ actions }) => actions.includes('insertText'),
    async prove(t, subject) {
      await subject.open('notes');
      const text = '😀 你好 '.repeat(2_000);
      t.same((await subject.do({ action: 'insertText', text })).result, { characterCount: 10_000 });
      t.equal((await subject.app()).text, text);
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
