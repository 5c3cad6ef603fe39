import fc from 'fast-check';
import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { anyInteraction } from '../../protocol/requests.ts';
import { startScriptedHttp } from '../../support/scripted-http.ts';

type Call = (parts: { cloud: RunCloud; session: ReturnType<RunCloud['session']> }) => Promise<unknown>;
/** A value as a program without types may pass it. */
// biome-ignore lint/suspicious/noExplicitAny: the point of these tests is what types would refuse
const any = (value: unknown): any => value;

const TYPE_FAULTS: readonly [string, Call, RegExp][] = [
  ['a coordinate that is text', ({ session }) => session.tap(any('0.5'), 0), /"x" must be a number from 0 to 1/],
  ['a coordinate that is absent', ({ session }) => session.tap(0.5, any(undefined)), /"y" is required/],
  ['a request that is no object', ({ session }) => session.interact(any(null)), /one flat object/],
  ['no action', ({ session }) => session.interact(any({ x: 1 })), /"action" is required/],
  [
    'a field of no action',
    ({ session }) => session.interact(any({ action: 'reload', hard: true })),
    /"hard" is not a known/,
  ],
  ['a point that is a number', ({ session }) => session.swipe(any(3), { x: 0, y: 0 }), /"from" must be an object/],
  ['steps that are no list', ({ session }) => session.gesture(any({})), /"steps" must be a list/],
  ['modifiers as text', ({ session }) => session.pressKey('a', { modifiers: any('shift') }), /"modifiers" must be/],
  ['enabled as text', ({ session }) => session.setRenderDebug('slowAnimations', any('yes')), /"enabled" must be true/],
  ['half an anchor', ({ session }) => session.scroll(0, 1, { at: any({ x: 0.5 }) }), /"y" is required where/],
  ['a request id that is a number', ({ session }) => session.tap(0, 0, { requestId: any(7) }), /"requestId" must be/],
  ['a timeout as text', ({ session }) => session.screenshot({ timeoutMs: any('5s') }), /"timeoutMs"/],
  ['a URL object', ({ session }) => session.openUrl(any(new URL('https://a.example'))), /"url" must be text/],
  ['a clipboard that is no text', ({ session }) => session.clipboard.write(any(7)), /"text" must be/],
  ['a session without options', ({ cloud }) => cloud.sessions.create(any(undefined)), /must be an object/],
  ['a session without platform', ({ cloud }) => cloud.sessions.create(any({})), /"platform" is required/],
  [
    'a misspelt option',
    ({ cloud }) => cloud.sessions.create(any({ platform: 'ios', timeout: '5m' })),
    /"timeout" is not/,
  ],
  [
    'a label that is a number',
    ({ cloud }) => cloud.sessions.create({ platform: 'ios', labels: any({ a: 1 }) }),
    /labels.a/,
  ],
  ['an id that is a number', ({ cloud }) => cloud.sessions.get(any(5)), /"sessionId" must be an id/],
  ['a link without role', ({ cloud }) => cloud.sessions.links.create('ses_1', any({})), /"role" is required/],
  ['a package that is text', ({ cloud }) => cloud.assets.upload(any('demo.apk')), /must be a Blob, bytes, or a stream/],
  ['a stream without length', ({ cloud }) => cloud.assets.upload(any({ stream: new ReadableStream() })), /byteSize/],
  ['a key that is a number', ({ session }) => session.recordings.start({ idempotencyKey: any(1) }), /idempotencyKey/],
];

const RANGE_FAULTS: readonly [string, Call, RegExp][] = [
  ['a coordinate past the edge', ({ session }) => session.tap(1.01, 0), /"x" must be a number from 0 to 1/],
  ['a coordinate that is not a number', ({ session }) => session.tap(0, Number.NaN), /"y" must be/],
  [
    'an action that does not exist',
    ({ session }) => session.interact(any({ action: 'dance' })),
    /one of tap, tapElement, swipe/,
  ],
  [
    'a URL with half a character',
    ({ session }) => session.openUrl('https://a/\ud83d'),
    /"url" has half of a surrogate/,
  ],
  ['a key that does not exist', ({ session }) => session.pressKey(any('A')), /semantic key/],
  ['a button that does not exist', ({ session }) => session.pressButton(any('bell')), /"button" must be one of home/],
  ['an orientation that does not exist', ({ session }) => session.setOrientation(any('up')), /"orientation" must be/],
  [
    'a modifier that does not exist',
    ({ session }) => session.pressKey('a', { modifiers: any(['alt', 'fn']) }),
    /"modifiers\[1\]"/,
  ],
  ['a hold that is too short', ({ session }) => session.pressButton('home', { durationMs: 19 }), /from 20 to 30000/],
  ['half a millisecond', ({ session }) => session.pressButton('home', { durationMs: 50.5 }), /whole number/],
  ['no scrolling', ({ session }) => session.scroll(0, 0), /must not be 0/],
  ['no turn', ({ session }) => session.rotateDigitalCrown(0), /must not be 0/],
  ['no text', ({ session }) => session.typeText(''), /1 to 10000 printable/],
  ['text that is not ASCII', ({ session }) => session.typeText('Grüße'), /printable US ASCII/],
  ['one step', ({ session }) => session.gesture([{ phase: 'begin', points: [{ x: 0, y: 0 }] }]), /2 to 1000 items/],
  [
    'steps in a wrong order',
    ({ session }) =>
      session.gesture([
        { phase: 'begin', points: [{ x: 0, y: 0 }] },
        { phase: 'move', points: [{ x: 0, y: 0 }] },
      ]),
    /steps\[1\].phase" must be end/,
  ],
  [
    'delays longer than the timeout',
    ({ session }) =>
      session.gesture(
        [
          { phase: 'begin', points: [{ x: 0, y: 0 }], delayMs: 300 },
          { phase: 'end', points: [{ x: 0, y: 0 }] },
        ],
        { timeoutMs: 200 },
      ),
    /more than the timeout/,
  ],
  ['a timeout that is too short', ({ session }) => session.reload({ timeoutMs: 99 }), /from 100 to 60000/],
  ['a timeout of a screenshot', ({ session }) => session.screenshot({ timeoutMs: 60_001 }), /from 100 to 60000/],
  ['a request id with white space', ({ session }) => session.tap(0, 0, { requestId: 'a b' }), /"requestId" must be/],
  ['a URL that is too long', ({ session }) => session.openUrl(`https://${'a'.repeat(4_096)}`), /at most 4096/],
  ['a URL with white space', ({ session }) => session.openUrl('https://example.com/a b'), /index 21/],
  ['a clipboard that is too long', ({ session }) => session.clipboard.write('a'.repeat(10_001)), /0 to 10000/],
  ['a clipboard of half a pair', ({ session }) => session.clipboard.write('a\ud83d'), /without lone surrogates/],
  ['a relative URL', ({ session }) => session.openUrl('/path'), /relative/],
  ['a blocked scheme', ({ session }) => session.openUrl('JavaScript:alert(1)'), /not opened/],
  ['a platform that does not exist', ({ cloud }) => cloud.sessions.create({ platform: any('windows') }), /"platform"/],
  ['a duration without a unit', ({ cloud }) => cloud.sessions.create({ platform: 'ios', hardTimeout: '5' }), /90s/],
  [
    'a duration out of range',
    ({ cloud }) => cloud.sessions.create({ platform: 'ios', hardTimeout: '25h' }),
    /1m to 24h/,
  ],
  [
    'an orientation of the other platform',
    ({ cloud }) => cloud.sessions.create({ platform: 'ios', orientation: 'portrait_upside_down' }),
    /on ios/,
  ],
  ['an empty id', ({ cloud }) => cloud.sessions.delete(''), /"sessionId" must be an id/],
  [
    'a link that lives too long',
    ({ cloud }) => cloud.sessions.links.create('ses_1', { role: 'view', ttl: '48h' }),
    /ttl/,
  ],
  ['an empty package', ({ cloud }) => cloud.assets.upload(new Uint8Array(0)), /empty/],
  ['a key with a line feed', ({ session }) => session.recordings.start({ idempotencyKey: 'a\n' }), /printable/],
];

t.test('an argument that the contract refuses is told before anything is sent', async (t) => {
  const service = await startScriptedHttp(t, (_request, response) => void response.writeHead(500).end());
  const cloud = new RunCloud({ apiKey: 'a-key', baseUrl: service.url });
  const session = cloud.session({ id: 'ses_1', platform: 'ios' });
  for (const [kind, cases] of [
    [TypeError, TYPE_FAULTS],
    [RangeError, RANGE_FAULTS],
  ] as const) {
    for (const [name, call, message] of cases) {
      const error: unknown = await call({ cloud, session }).catch((caught: unknown) => caught);
      t.ok(error instanceof kind && message.test(error.message), `${name}: ${error}`);
    }
  }
  t.same(service.seen, [], 'nothing was sent');
});

t.test('a client that cannot work is refused when it is made, and the message does not repeat the key', (t) => {
  t.throws(() => new RunCloud({ apiKey: any(5) }), TypeError);
  t.throws(() => new RunCloud({ apiKey: '' }), RangeError);
  for (const baseUrl of ['', 'example.com', 'ftp://a.example', 'http://user@a.example', 'http://a.example/?x=1']) {
    t.throws(() => new RunCloud({ apiKey: 'k', baseUrl }), RangeError, baseUrl);
  }
  t.throws(() => new RunCloud({ apiKey: 'line\nfeed' }), { message: /^(?!.*line)/ });
  const cloud = new RunCloud({ apiKey: 'k' });
  t.throws(() => cloud.session({ id: 'ses_1', platform: any('windows') }), RangeError);
  t.throws(() => cloud.session({ id: any(1), platform: 'ios' }), TypeError);
  t.end();
});

t.test('arguments that the contract accepts are sent as they are, with their defaults', async (t) => {
  const service = await startScriptedHttp(t, ({ body }, response) => {
    const { requestId, action } = JSON.parse(body.toString());
    const answer = { ok: true, requestId, action, status: 'completed' };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  const session = new RunCloud({ apiKey: 'k', baseUrl: service.url }).session({ id: 'ses_1', platform: 'ios' });
  await fc.assert(
    fc.asyncProperty(anyInteraction(), async (body) => {
      const { action } = await session.interact(any(body));
      const sent = JSON.parse(service.seen.at(-1)?.body.toString() ?? '');
      return action === body.action && typeof sent.requestId === 'string' && sent.timeoutMs >= 100;
    }),
    { numRuns: 60 },
  );
  t.ok(service.seen.length >= 60);
});
