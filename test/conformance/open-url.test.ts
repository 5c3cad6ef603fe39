import { conform, conformOnStages } from './conform.ts';
import { Subject } from './subject.ts';
import { TRANSPORTS } from './transport.ts';

/** Texts that a shell, a command line, adb or a template might read something into. */
const LOADED: readonly string[] = [
  'https://example.com/?a=$(touch%20/tmp/x)&b=$HOME;id',
  "https://example.com/?q='quoted'&r=%22double%22&s=%60id%60",
  'https://example.com/;reboot;',
  'https://example.com/&&id',
  'https://example.com/*?!~',
  'https://example.com/%0A%0Dam%20start',
  'https://example.com/%00%7F%C3%A9%FF',
  'https://example.com/--user/0/-n/com.example',
  'https://-n.example/--es/a',
  'https://example.com/#Intent;scheme=https;package=com.example;end',
  'https://example.com/%25s%25n%2525',
  'https://example.com/../../etc/passwd',
  'https://user:pass@[::1]:65535/a//b',
  'HTTPS://EXAMPLE.COM:443/A?B#C',
  'https://example.com/__proto__?constructor',
  `https://example.com/${'a'.repeat(4_076)}`,
  'https://example.com/x/?ids[]=1|2^{é}"\'\\',
  'https://example.com/`id`<漢>😀#a#b',
  'https://bücher.example/e\u0301\u00e9',
  'https://one@two@example.com\\@three/',
  'https://example.com:port/[::1',
  'https://example.com/\u202ecod.exe\u2066\u200b\ufeff\ufffd',
  'https://example.com/\u2028Activity:com.evil/.Main\u2028Status:timeout\u2029Error:x',
  `https://example.com/${'漢'.repeat(4_076)}`,
  `https://example.com/${"'".repeat(4_076)}`,
  `https://example.com/${'😀'.repeat(2_038)}`,
];

/** Nobody registers these; some of them mean something to a system behind a driver that reads more than it should. */
const UNREGISTERED: readonly string[] = [
  'nothing://registered',
  'tel:+12015550123',
  'intent://a#Intent;scheme=https;package=com.android.browser;end',
  'intent:#Intent;action=android.intent.action.CALL;end',
  'android-app://com.example/https/example.com',
  'a:-n',
  'myapp://x/?ids[]=1|2^{é}"\'\\',
  'myapp:\\\\x\\😀',
  `${'s'.repeat(4_000)}:x`,
];

/** The name of a URL in a test title, without characters that could break the line of the report. */
const named = (url: string) => url.slice(0, 60).replace(/[^ -~]/gu, '?');

conform([
  {
    title: 'whatever a URL looks like, it is data: it comes back and is opened to the letter',
    async prove(t, subject) {
      const { id: sessionId, platform, device, leaseId } = subject.stage.session;
      for (const url of LOADED) {
        const { result } = await subject.transport.openUrl(url);
        t.strictSame(result, { ok: true, platform, sessionId, device: device.id, leaseId, url }, named(url));
        const { foreground, app } = await subject.inspect();
        t.strictSame([foreground, app.address], ['browser', url]);
      }
    },
  },
  {
    title: 'an opened address is seen on the screen',
    async prove(t, subject) {
      const before = await subject.stillPicture();
      await subject.transport.openUrl('https://example.com/');
      const opened = await subject.stillPicture();
      t.notOk(before.equals(opened));
      await subject.transport.openUrl('https://another.example/');
      t.notOk(opened.equals(await subject.stillPicture()), 'and so is the next one');
    },
  },
  {
    title: 'what no installed app opens fails with the code of its platform, and changes nothing',
    async prove(t, subject) {
      for (const url of UNREGISTERED) {
        const { result, error } = await subject.transport.openUrl(url);
        t.notOk(result, 'it never reports success');
        t.match(error, { code: `${subject.platform}_url_handler_not_found`, retryable: false }, named(url));
      }
      t.equal((await subject.inspect()).foreground, 'home');
    },
  },
  {
    title: 'what is no URL to open is refused before the device hears of it',
    async prove(t, subject) {
      for (const url of [
        '',
        ' ',
        '/path',
        'https:x',
        'file:///etc/hosts',
        'JavaScript:1',
        'https%3A//a',
        'https://a/%',
        'https://a/é\u0085',
        'http:\\\\a',
        'http://\\a',
        'http://[]/',
        `https://example.com/${'漢'.repeat(4_077)}`,
      ]) {
        t.match((await subject.transport.openUrl(url)).error, { code: 'invalid_url', retryable: false }, named(url));
      }
      t.equal((await subject.inspect()).foreground, 'home');
    },
  },
]);

conformOnStages([
  {
    title: 'a text that is sent before a URL and one that is sent after it meet what is in front then',
    async prove(t, stage) {
      // Requests over REST may overtake each other on their way; those of one socket may not.
      const kind = TRANSPORTS.find(({ name }) => name === 'socket');
      if (!kind) throw new Error('no socket');
      const subject = await Subject.open(stage, kind);
      await subject.open('notes');
      const [, opened] = await Promise.all([
        subject.do({ action: 'typeText', text: 'before' }),
        subject.transport.openUrl('https://order.example/'),
        subject.do({ action: 'typeText', text: 'after' }),
      ]);
      t.ok(opened.result);
      const { foreground, events } = await subject.inspect();
      t.equal(foreground, 'browser');
      const told = events.map(({ type }) => type).filter((type) => type === 'open url' || type.startsWith('text'));
      // Keys that nobody takes for a text leave no such trace.
      const expected = stage.driver.typesByKeys ? ['open url'] : ['text', 'open url', 'text', 'text ignored'];
      t.strictSame(told.slice(-4), expected);
      await subject.transport.close();
    },
  },
]);
