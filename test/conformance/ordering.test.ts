import type { Acknowledgement } from '@runcloud/protocol';
import { KEYS } from '@runcloud/protocol/terms';
import type { Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { conformOnStages } from './conform.ts';
import { type Action, newRequestId, type Stage, Subject } from './subject.ts';
import { type Request, TRANSPORTS } from './transport.ts';

const SOCKETS = 4;

/** The final outcome of one request. */
interface Outcome {
  readonly request: Request;
  readonly answers: readonly Acknowledgement[];
  /** The messages that told of it, in their order; only over a socket. */
  readonly stages?: readonly string[];
  /** Only of requests over a socket. */
  readonly inputSeq?: number;
}

/** Sends everything at once, spread over several sockets and as many REST calls; callers take turns in `actions`. */
async function sendAll(stage: Stage, actions: readonly Action[]): Promise<readonly (readonly Outcome[])[]> {
  const { server, session } = stage;
  const connect = () => ControlClient.connect(server.url, session, server.rest.authorization);
  const clients = await Promise.all(Array.from({ length: SOCKETS }, connect));
  const shares: Request[][] = Array.from({ length: SOCKETS + 1 }, () => []);
  for (const [index, action] of actions.entries()) {
    shares[index % shares.length]?.push({ ...action, requestId: newRequestId() });
  }
  const [viaRest = [], ...viaSockets] = shares;
  const calls = viaRest.map((request) => server.rest.interact(session, request));
  for (const [index, client] of clients.entries()) {
    for (const request of viaSockets[index] ?? []) client.send({ type: 'interaction', ...request });
  }
  const replies = await Promise.all(calls);
  const overSockets = await Promise.all(
    clients.map(async (client, index) => {
      const requests = viaSockets[index] ?? [];
      for (const { requestId } of requests.slice(-1)) await client.result(requestId);
      client.send({ type: 'ping', id: 1 });
      await client.next('pong');
      await client.close();
      return requests.map((request): Outcome => outcomeOn(client, request));
    }),
  );
  return [viaRest.map((request, index) => ({ request, answers: bodiesOf(replies[index]) })), ...overSockets];
}

const bodiesOf = (reply: { readonly body: Acknowledgement } | undefined) => (reply ? [reply.body] : []);

function outcomeOn(client: ControlClient, request: Request): Outcome {
  const answers: Acknowledgement[] = [];
  const stages: string[] = [];
  let inputSeq = 0;
  for (const message of client.messages) {
    if (!('requestId' in message) || message.requestId !== request.requestId) continue;
    stages.push(message.type);
    if (message.type === 'result') answers.push(message);
    if (message.type === 'dispatched') inputSeq ||= message.inputSeq;
  }
  return { request, answers, inputSeq, stages };
}

const isRising = (values: readonly number[], slack = 0): boolean =>
  values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0) - slack);

/** `served` holds the outcomes in the order in which the device saw them. */
function wasFair(t: Test, served: readonly Outcome[], shares: readonly (readonly Outcome[])[]): void {
  t.ok(
    shares.flat().every(({ answers }) => answers.length === 1 && answers[0]?.status === 'completed'),
    'each request is answered exactly once',
  );
  t.equal(served.length, shares.flat().length, 'each request had its effect once');
  const times = (pick: 'acceptedAt' | 'completedAt') =>
    served.map(({ answers: [answer] }) => Date.parse(answer?.[pick] ?? ''));
  t.ok(isRising(times('acceptedAt')), 'first accepted, first dispatched');
  // The time of completion is a sum of two rounded ones.
  t.ok(isRising(times('completedAt'), 2), 'one after the other');
  const told = new Set(served.flatMap(({ stages }) => (stages ? [stages.join()] : [])));
  t.same([...told], ['accepted,dispatched,result'], 'each socket is told of each stage once');
  const seqs = served.flatMap(({ inputSeq }) => inputSeq ?? []);
  t.ok(isRising(seqs) && new Set(seqs).size === seqs.length, 'input numbers follow the order of dispatch');
  for (const share of shares.slice(1)) {
    const ids = new Set(share.map(({ request }) => request.requestId));
    t.same(
      served.filter(({ request }) => ids.has(request.requestId)).map(({ request }) => request.requestId),
      [...ids],
      'what one socket sends stays in its order',
    );
  }
}

async function openApp(stage: Stage, app: string): Promise<Subject> {
  const [kind] = TRANSPORTS;
  if (!kind) throw new Error('no transport');
  const subject = await Subject.open(stage, kind);
  await subject.open(app);
  return subject;
}

conformOnStages([
  {
    title:
      'texts sent at once, a thousand where typing takes no time, are typed in the order of their acceptance, each answered once',
    async prove(t, stage) {
      const subject = await openApp(stage, 'notes');
      const actions = Array.from({ length: stage.driver.typesByKeys ? 60 : 1_000 }, (_, index) => ({
        action: 'typeText',
        text: `${index},`,
      }));
      const shares = await sendAll(stage, actions);
      const byText = new Map(shares.flat().map((outcome) => [String(outcome.request.text), outcome]));
      const words = String((await subject.app()).text)
        .split(',')
        .slice(0, -1);
      wasFair(
        t,
        words.flatMap((word) => byText.get(`${word},`) ?? []),
        shares,
      );
    },
  },
  {
    title: 'taps, keys and texts sent at once by many reach the device one at a time, in the order of acceptance',
    async prove(t, stage) {
      const subject = await openApp(stage, 'touch-lab');
      const { width } = await subject.pixels();
      const actions = Array.from({ length: 60 }, (_, index): Action => {
        // Text that is typed key by key cannot be distinguished from pressed keys.
        if (index % 3 === 0 || (index % 3 === 2 && stage.driver.typesByKeys))
          return { action: 'tap', x: (index + 0.5) / width, y: 0.5 };
        if (index % 3 === 1) return { action: 'pressKey', key: KEYS[index] ?? 'a', durationMs: 20 };
        return { action: 'typeText', text: 'x'.repeat(index) };
      });
      const { events: before } = await subject.inspect();
      const shares = await sendAll(stage, actions);
      const outcomes = shares.flat();
      const { events } = await subject.inspect();
      const news = events.filter(({ atMs }) => atMs > (before.at(-1)?.atMs ?? 0));
      const seen = news.map(({ type, detail }) => ({ type, ...(detail as Detail) }));
      const served = seen.flatMap((event, index) => {
        if (event.type === 'text') return outcomes.find(({ request }) => lengthOf(request.text) === event.length) ?? [];
        if (event.phase === 'up' || event.phase === 'end') return [];
        const end = seen[index + 1];
        t.same([end?.key, end?.points], [event.key, event.points], 'nothing comes between a press and its end');
        const column = event.points?.[0]?.x;
        return (
          outcomes.find(({ request: { key, x } }) =>
            event.type === 'key' ? key === event.key : Math.floor(Number(x) * width) === column,
          ) ?? []
        );
      });
      wasFair(t, served, shares);
    },
  },
]);

interface Detail {
  readonly phase?: string;
  readonly key?: string;
  readonly length?: number;
  readonly points?: readonly { readonly x: number }[];
}

const lengthOf = (text: unknown): number | undefined => (typeof text === 'string' ? text.length : undefined);
