import { ControlClient } from '../support/control-client.ts';
import { conform } from './conform.ts';

/** Texts that a shell, a terminal, C or an encoding would change. */
const HOSTILE = [
  'plain',
  '',
  ' \t leading, trailing \n\n',
  'one\r\ntwo\rthree\nfour\u2028five',
  `; touch /tmp/pwned & $(id) \`id\` | cat > x < y "double" 'single' \\ $HOME %s %1$s !! * ? ~ # {a,b}`,
  '-n --help /ses /dev/null',
  'a NUL\0in the middle, an escape \u001b[31m, a bell\u0007 and DEL\u007f',
  'Grüße 你好 e\u0301 👩‍👩‍👧‍👦 🇩🇪 \u{1d11e} עברית \u202eturned',
  '\ufeffa byte order mark, \ufffd and \uffff',
  '😀'.repeat(10_000),
];

conform([
  {
    title: 'what is written to the clipboard is held as it is, whatever is in it',
    needs: ({ clipboard }) => clipboard,
    async prove(t, { transport }) {
      for (const [index, text] of HOSTILE.entries()) {
        t.same(await transport.clipboard(text), { result: { text } }, `text ${index}`);
        t.same(await transport.clipboard(), { result: { text } }, 'and read again');
      }
    },
  },
  {
    title: 'a text that was written is pasted by keys, and what keys copy and cut is read',
    needs: ({ clipboard, modifiers }) => clipboard && modifiers,
    async prove(t, subject) {
      const { transport, platform, stage } = subject;
      const { server, session, driver } = stage;
      const watcher = await ControlClient.connect(server.url, session, server.rest.authorization);
      const events = () =>
        watcher.messages.filter((message) => message.type === 'event' && message.event === 'clipboard').length;
      /** Another text in the clipboard is told, by the devices that tell. */
      const isTold = async (act: () => Promise<unknown>) => {
        const before = events();
        await act();
        if (driver.tellsOfClipboard) await watcher.next('event', () => events() > before);
      };
      const modifiers = [platform === 'ios' ? 'meta' : 'control'];
      const press = (key: string) => subject.do({ action: 'pressKey', key, modifiers, durationMs: 20 });
      await subject.open('notes');
      await isTold(() => transport.clipboard('Grüße 😀\nby keys'));
      await press('v');
      t.equal((await subject.app()).text, 'Grüße 😀\nby keys');
      await isTold(() => transport.clipboard(''));
      await press('a');
      await isTold(() => press('c'));
      t.same(await transport.clipboard(), { result: { text: 'Grüße 😀\nby keys' } });
      await isTold(() => transport.clipboard('something else'));
      await isTold(() => press('x'));
      t.equal((await subject.app()).text, '');
      t.same(await transport.clipboard(), { result: { text: 'Grüße 😀\nby keys' } });
      await watcher.close();
    },
  },
  {
    title: 'a longer text is refused, and the clipboard keeps what it holds',
    needs: ({ clipboard }) => clipboard,
    async prove(t, { transport }) {
      await transport.clipboard('kept');
      for (const text of ['a'.repeat(10_001), `${'😀'.repeat(10_000)}!`]) {
        const { error } = await transport.clipboard(text);
        t.match(error, { code: 'invalid_request', retryable: false, message: /"text" must be .*0 to 10,?000/ });
      }
      t.same(await transport.clipboard(), { result: { text: 'kept' } });
    },
  },
  {
    title: 'a device without a way to its clipboard says so',
    needs: ({ clipboard }) => !clipboard,
    async prove(t, { transport }) {
      for (const text of [undefined, 'text']) {
        const { error } = await transport.clipboard(text);
        t.match(error, { code: 'unsupported_action', retryable: false, message: /clipboard.*this device/ });
      }
    },
  },
]);
