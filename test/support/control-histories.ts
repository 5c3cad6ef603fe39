import type { ControlAnswer, ControlState, ServerMessage, SessionRecord } from '@runcloud/protocol';
import { seeded } from '../conformance/random.ts';
import { ControlClient } from './control-client.ts';
import { type ControlInput, type ControlOutput, controlModel, type Part } from './control-model.ts';
import { linearize, type Operation } from './linearizable.ts';
import { RestClient } from './rest-client.ts';
import { startServer } from './server.ts';
import { ShiftedClock } from './shifted-clock.ts';

export type ControlHistory = readonly Operation<ControlInput, ControlOutput>[];

/** A fault that a checker must find. */
export type Fault = 'the service does not see that time passes' | 'one sends its input by force';

/** Two guests on sockets, a key on a socket and over REST, and another key over REST alone. */
const PARTS: readonly Part[] = [
  { name: 'guest 1', isOwner: false, isConnected: true },
  { name: 'guest 2', isOwner: false, isConnected: true },
  { name: 'key', isOwner: true, isConnected: true },
  { name: 'agent', isOwner: true, isConnected: false },
];
/** A lease of 30 s lasts one wait and ends with the second, however long the operations between them take. */
const WAIT_MS = 16_000;
const STEPS_OF_EACH = 6;
const WAITS = 8;
const STEPS = ['request', 'request', 'release', 'take', 'grant', 'deny', 'input', 'input', 'read', 'read'] as const;

type Asked = Exclude<ControlInput, { step: 'wait' }>;
type Call = (input: Asked, isForced: boolean) => Promise<ControlOutput>;
type Refused = { readonly error?: { readonly code: string } };

/** Random operations of several participants on a running service, all at the same time. */
export class ControlArena {
  readonly close: () => Promise<void>;
  readonly #clock: ShiftedClock;
  readonly #calls: ReadonlyMap<string, Call>;
  #time = 0;

  private constructor(clock: ShiftedClock, calls: ReadonlyMap<string, Call>, close: () => Promise<void>) {
    this.#clock = clock;
    this.#calls = calls;
    this.close = close;
  }

  static async open(): Promise<ControlArena> {
    const clock = new ShiftedClock();
    const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1' }, clock);
    const { rest, url } = server;
    const session = await rest.createSession('ios', { hardTimeout: '24h', inactivityTimeout: '24h' });
    const made = await rest.call<{ key: string }>('POST', '/service/account/keys', { name: 'agent' });
    const agent = new RestClient(url, made.body.key);
    const guests = [
      await ControlClient.connectWithToken(url, session, url),
      await ControlClient.connectWithToken(url, session, url),
    ];
    const key = await ControlClient.connect(url, session, rest.authorization);
    const names = new Map<string, string>();
    for (const [index, client] of [...guests, key].entries()) {
      const [ready] = client.messages as Extract<ServerMessage, { type: 'ready' }>[];
      names.set(ready?.participant?.id ?? '', PARTS[index]?.name ?? '');
    }
    const released = await agent.call<ControlAnswer>('DELETE', `/service/ios/${session.id}/control`);
    names.set(released.body.participant.id, 'agent');
    const told = (state: ControlState | undefined): ControlOutput => ({
      holder: state?.holder ? (names.get(state.holder.id) ?? 'somebody') : null,
      waiting: (state?.waiting ?? []).map(({ id }) => names.get(id) ?? 'somebody'),
    });
    const idOf = (name: string) => [...names].find((one) => one[1] === name)?.[0] ?? 'prt_none';
    // Guests read the record by the key, since no message asks for it.
    const reader = { rest, session, told, idOf };
    const overBoth = [overRest(reader), overSocket(key, reader)];
    let turn = 0;
    const calls = new Map<string, Call>([
      ['guest 1', overSocket(guests[0] as ControlClient, reader)],
      ['guest 2', overSocket(guests[1] as ControlClient, reader)],
      ['key', (...asked) => (overBoth[turn++ % 2] as Call)(...asked)],
      ['agent', overRest({ ...reader, rest: agent })],
    ]);
    return new ControlArena(clock, calls, async () => {
      for (const client of [...guests, key]) await client.close();
      await server.close();
    });
  }

  /** One history. Afterwards nobody has control, and nobody waits. */
  async run(seed: number, fault?: Fault): Promise<ControlHistory> {
    const history: Operation<ControlInput, ControlOutput>[] = [];
    const note = async (client: string, input: ControlInput, call: () => Promise<ControlOutput>) => {
      const calledAt = ++this.#time;
      const output = await call();
      history.push({ client, input, output, calledAt, returnedAt: ++this.#time });
    };
    const sending = new Set<Promise<void>>();
    const clients = PARTS.map(async ({ name }, index) => {
      const random = seeded(seed * 8 + index);
      for (let count = 0; count < STEPS_OF_EACH; count++) {
        await pause(random);
        const step = oneOf(STEPS, random);
        const to = oneOf(PARTS, random).name;
        const input: Asked = step === 'grant' || step === 'deny' ? { step, by: name, to } : { step, by: name };
        const isForced = fault === 'one sends its input by force' && name === 'agent';
        const call = note(name, input, () => this.#ask(input, isForced));
        sending.add(call);
        await call;
        sending.delete(call);
      }
    });
    const random = seeded(seed * 8 + PARTS.length);
    for (let count = 0; count < WAITS; count++) {
      await pause(random);
      await note('clock', { step: 'wait', ms: WAIT_MS }, async () => {
        if (fault !== 'the service does not see that time passes') this.#clock.advance(WAIT_MS);
        return null;
      });
      // An input sees two waits at most: a device that takes a minute for one is given up.
      await Promise.all([...sending]);
    }
    await Promise.all(clients);
    for (const { name } of PARTS) await this.#ask({ step: 'release', by: name }, false);
    // How often guests may ask is another matter.
    this.#clock.advance(5_000);
    return history;
  }

  /** Whether the history can be explained. */
  isLinearizable(history: ControlHistory): boolean {
    return linearize(controlModel(PARTS), history) !== undefined;
  }

  #ask(input: Asked, isForced: boolean): Promise<ControlOutput> {
    return (this.#calls.get(input.by) as Call)(input, isForced);
  }
}

const oneOf = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T;

/** Nothing, or some turns of the event loop, or a few milliseconds. */
async function pause(random: () => number): Promise<void> {
  const kind = Math.floor(random() * 3);
  const length = Math.floor(random() * 4);
  if (kind === 1) for (let turn = 0; turn <= length; turn++) await new Promise((go) => setImmediate(go));
  if (kind === 2) await new Promise((go) => setTimeout(go, length));
}

interface Reader {
  readonly rest: RestClient;
  readonly session: SessionRecord;
  readonly told: (state: ControlState | undefined) => ControlOutput;
  readonly idOf: (name: string) => string;
}

const TAP = { action: 'tap', x: 0.5, y: 0.5, timeoutMs: 60_000 };
let asked = 0;

const about = (input: Asked, { idOf }: Reader) => ('to' in input ? { participant: idOf(input.to) } : {});

async function read({ rest, session, told }: Reader): Promise<ControlOutput> {
  return told((await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body.control);
}

function overSocket(client: ControlClient, reader: Reader): Call {
  return async (input) => {
    const { step } = input;
    if (step === 'read') return read(reader);
    const requestId = `ask-${++asked}`;
    client.send(
      step === 'input'
        ? { type: 'interaction', requestId, ...TAP }
        : { type: `control.${step}`, requestId, ...about(input, reader) },
    );
    const { error, result } = await client.result(requestId);
    if (error || step === 'input') return error?.code ?? null;
    return reader.told((result as unknown as ControlAnswer).control);
  };
}

function overRest(reader: Reader): Call {
  const { rest, session, told } = reader;
  const path = `/service/ios/${session.id}`;
  return async (input, isForced) => {
    const { step } = input;
    if (step === 'read') return read(reader);
    if (step === 'input') {
      const { body } = await rest.call('POST', `${path}/interactions${isForced ? '?force=true' : ''}`, TAP);
      return body.error?.code ?? null;
    }
    const { body } =
      step === 'release'
        ? await rest.call<ControlAnswer & Refused>('DELETE', `${path}/control`)
        : await rest.call<ControlAnswer & Refused>('POST', `${path}/control`, { step, ...about(input, reader) });
    return body.error?.code ?? told(body.control);
  };
}
