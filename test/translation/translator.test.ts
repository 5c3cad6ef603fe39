import { LIMITS } from '@runcloud/protocol';
import t from 'tap';
import type { Port } from '../../server/link/messages.ts';
import type { HttpHead } from '../../server/socket/http.ts';
import type { FromTranslator, ToTranslator } from '../../server/translation/messages.ts';
import { type Caller, Translator } from '../../server/translation/translator.ts';
import { ManualClock } from '../account/manual-clock.ts';

type Asked = { readonly question: string };
const MESSAGE: Asked = { question: 'which' };
const OK = { status: 200, headers: {}, body: '{}' };

function callerOf(party: string, onGone: Caller['head']['onGone'] = () => undefined): Caller {
  const owner = { accountId: party, organizationId: '', keyId: 'key', accountName: '' };
  return { admission: { owner, payer: { party, rateLimiter: undefined } }, head: { onGone } };
}

/** A thread that answers when it is told to. */
class Thread {
  readonly received: ToTranslator<Asked>[] = [];
  closed = false;
  #receive: (batch: readonly FromTranslator[]) => void = () => undefined;
  #end: (reason: string) => void = () => undefined;
  readonly port: Port<ToTranslator<Asked>, FromTranslator> = {
    send: (batch) => void this.received.push(...batch),
    onReceive: (listener) => {
      this.#receive = listener;
    },
    onClosed: (listener) => {
      this.#end = listener;
    },
    close: async () => {
      this.closed = true;
    },
  };

  say(...batch: FromTranslator[]): void {
    this.#receive(batch);
  }

  die(): void {
    this.#end('exit code 1');
  }
}

function setup() {
  const clock = new ManualClock();
  const threads: Thread[] = [];
  const made: HttpHead[] = [];
  const translator = new Translator<Asked>({
    what: 'agents',
    statuses: [200, 202],
    clock,
    spawn() {
      const thread = new Thread();
      threads.push(thread);
      return thread.port;
    },
    call(head) {
      made.push(head);
      return { status: 200, body: head.path };
    },
  });
  return { translator, clock, threads, made };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('the first call starts the thread, and each is answered with what it says', async (t) => {
  const { translator, threads } = setup();
  t.equal(threads.length, 0);
  const [one, two] = [translator.ask(callerOf('a'), MESSAGE), translator.ask(callerOf('b'), MESSAGE)];
  await turn();
  t.equal(threads.length, 1);
  t.match(threads[0]?.received, [
    { kind: 'ask', call: 1, asked: MESSAGE },
    { kind: 'ask', call: 2 },
  ]);
  threads[0]?.say({ kind: 'reply', call: 2, reply: { ...OK, body: '{"two":2}' } });
  threads[0]?.say({ kind: 'reply', call: 1, reply: OK });
  t.match(await two, { status: 200, body: '{"two":2}', headers: { 'Cache-Control': 'no-store' } });
  t.match(await one, { status: 200, body: '{}' });
});

t.test('a request of a tool is made for its own caller, and of a call that has ended not at all', async (t) => {
  const { translator, threads, made } = setup();
  const asked = translator.ask(callerOf('a'), MESSAGE);
  await turn();
  const request = { method: 'GET', path: '/service/sessions', query: '', headers: {}, body: '' };
  threads[0]?.say({ kind: 'request', call: 1, request: 5, made: request });
  await turn();
  await turn();
  t.match(threads[0]?.received.at(-1), {
    kind: 'answered',
    request: 5,
    reply: { status: 200, body: '/service/sessions' },
  });
  threads[0]?.say({ kind: 'reply', call: 1, reply: OK });
  await asked;
  threads[0]?.say({ kind: 'request', call: 1, request: 6, made: request });
  await turn();
  t.equal(made.length, 1);
});

t.test('calls of one account beyond its number are refused, others are not', async (t) => {
  const { translator, threads } = setup();
  const running = Array.from({ length: LIMITS.translatedCallsPerAccount }, () =>
    translator.ask(callerOf('a'), MESSAGE),
  );
  await t.rejects(translator.ask(callerOf('a'), MESSAGE), { code: 'rate_limited', retryAfterSeconds: 1 });
  const other = translator.ask(callerOf('b'), MESSAGE);
  await turn();
  for (let call = 1; call <= running.length + 1; call++) threads[0]?.say({ kind: 'reply', call, reply: OK });
  await Promise.all([...running, other]);
  const again = translator.ask(callerOf('a'), MESSAGE);
  await turn();
  threads[0]?.say({ kind: 'reply', call: running.length + 2, reply: OK });
  t.match(await again, { status: 200 });
});

t.test('a call that takes too long is ended on both sides', async (t) => {
  const { translator, threads, clock } = setup();
  const asked = translator.ask(callerOf('a'), MESSAGE);
  const failed = t.rejects(asked, { code: 'interaction_timeout' });
  clock.advance(LIMITS.translatedCallMs);
  await failed;
  await turn();
  t.match(threads[0]?.received.at(-1), { kind: 'abort', call: 1 });
  threads[0]?.say({ kind: 'reply', call: 1, reply: OK });
});

t.test('a call whose caller has gone is ended, with what its tool waits for', async (t) => {
  const { translator, threads, made } = setup();
  let leave: () => void = () => undefined;
  const caller = callerOf('a', (listener) => {
    leave = listener;
  });
  const failed = t.rejects(translator.ask(caller, MESSAGE), { code: 'interaction_cancelled' });
  await turn();
  const request = { method: 'POST', path: '/service/ios/ses_1/ui/wait', query: '', headers: {}, body: '{}' };
  threads[0]?.say({ kind: 'request', call: 1, request: 1, made: request });
  let ended = false;
  made[0]?.onGone(() => {
    ended = true;
  });
  leave();
  await failed;
  await turn();
  t.equal(ended, true);
  t.match(threads[0]?.received.at(-2), { kind: 'abort', call: 1 });
  leave();
});

t.test('when the thread ends its calls fail, and the next one starts another', async (t) => {
  const { translator, threads } = setup();
  const asked = translator.ask(callerOf('a'), MESSAGE);
  await turn();
  threads[0]?.die();
  await t.rejects(asked, { code: 'interaction_transport_error' });
  const next = translator.ask(callerOf('a'), MESSAGE);
  await turn();
  t.equal(threads.length, 2);
  threads[1]?.say({ kind: 'reply', call: 1, reply: OK });
  t.match(await next, { status: 200 });
});

t.test('an answer that is none, or of a status that was not declared, is a fault of the service', async (t) => {
  for (const reply of [undefined, { ...OK, status: 418 }]) {
    const { translator, threads } = setup();
    const asked = translator.ask(callerOf('a'), MESSAGE);
    await turn();
    threads[0]?.say({ kind: 'reply', call: 1, reply });
    await t.rejects(asked, { code: 'internal_error' });
  }
});

t.test('closing wakes all that wait', async (t) => {
  const { translator, threads } = setup();
  const asked = translator.ask(callerOf('a'), MESSAGE);
  const failed = t.rejects(asked, { code: 'interaction_transport_error' });
  await translator.close();
  await failed;
  t.equal(threads[0]?.closed, true);
  await t.rejects(translator.ask(callerOf('a'), MESSAGE), { code: 'interaction_transport_error' });
});
