import type { Bus, BusMessage } from '../../server/fleet/bus.ts';
import type { Clock } from '../../server/flow/clock.ts';
import { settled } from './fake-clock.ts';

/** A clock that jumps from event to event, and a network on it that delays, loses, repeats, cuts and restarts by the numbers of a seed. */

const DELAY_MS_MAX = 40;
/** Of a message. */
const LOST_SHARE = 0.003;
const REPEATED_SHARE = 0.01;
/** A message that is repeated comes so much later. */
const REPEATED_MS_MAX = 20_000;

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Time and everything that is to happen. */
export class Schedule implements Clock {
  #nowMs = 1_000;
  #order = 0;
  #events: Event[] = [];

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return 1_800_000_000_000 + this.#nowMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    const event: Event = { atMs: this.#nowMs + delayMs, order: this.#order++, run, isCancelled: false };
    let at = this.#events.length;
    while (at > 0 && isBefore(event, this.#events[at - 1] as Event)) at--;
    this.#events.splice(at, 0, event);
    return () => {
      event.isCancelled = true;
    };
  }

  async runUntil(untilMs: number): Promise<void> {
    for (let event = this.#events[0]; event && event.atMs <= untilMs; event = this.#events[0]) {
      this.#events.shift();
      if (event.isCancelled) continue;
      this.#nowMs = event.atMs;
      event.run();
      await settled();
    }
    this.#nowMs = untilMs;
  }
}

const isBefore = (one: Event, other: Event) =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/** The server between all processes: order is kept for each sender and receiver, and nothing waits for who is not there. */
export class Network {
  readonly #schedule: Schedule;
  readonly #random: () => number;
  readonly #members = new Set<SimulatedBus>();
  /** When the latest message of a sender reaches a receiver. */
  readonly #latest = new Map<string, number>();
  isUnruly = true;

  constructor(schedule: Schedule, random: () => number) {
    this.#schedule = schedule;
    this.#random = random;
  }

  join(name: string): SimulatedBus {
    const bus = new SimulatedBus(name, this);
    this.#members.add(bus);
    return bus;
  }

  leave(bus: SimulatedBus): void {
    this.#members.delete(bus);
  }

  send(from: SimulatedBus, subject: string, payload: Uint8Array, answerTo: string): void {
    const copy = new Uint8Array(payload);
    for (const to of this.#members) {
      if (!to.takes(subject)) continue;
      if (this.isUnruly && this.#random() < LOST_SHARE) continue;
      const message = { subject, payload: copy, answerTo };
      const way = `${from.name} ${to.name}`;
      const atMs = Math.max(this.#schedule.monotonicMs() + this.#random() * DELAY_MS_MAX, this.#latest.get(way) ?? 0);
      this.#latest.set(way, atMs);
      this.#deliver(to, message, atMs - this.#schedule.monotonicMs());
      if (!this.isUnruly || this.#random() >= REPEATED_SHARE) continue;
      // As somebody would who has listened: to whoever has the subject then.
      this.#schedule.schedule(this.#random() * REPEATED_MS_MAX, () => {
        for (const later of this.#members) if (later.takes(subject)) later.receive(message);
      });
    }
  }

  #deliver(to: SimulatedBus, message: BusMessage, delayMs: number): void {
    const { connection } = to;
    this.#schedule.schedule(delayMs, () => {
      // What is under way to a connection that is lost is lost with it.
      if (to.connection === connection) to.receive(message);
    });
  }

  /** Everybody loses the connection. */
  restart(downMs: number): void {
    for (const bus of this.#members) bus.cut(downMs, this.#schedule);
  }
}

export class SimulatedBus implements Bus {
  readonly name: string;
  readonly payloadBytesMax = 100_000;
  /** Grows with each connection. */
  connection = 1;
  connected = true;
  /** Nothing of what it publishes arrives, and it does not know. */
  isDeaf = false;
  readonly #network: Network;
  readonly #subscriptions: { readonly pattern: RegExp; readonly receive: (message: BusMessage) => void }[] = [];
  readonly #listeners: ((connected: boolean) => void)[] = [];

  constructor(name: string, network: Network) {
    this.name = name;
    this.#network = network;
  }

  publish(subject: string, payload: Uint8Array, answerTo = ''): void {
    if (this.connected && !this.isDeaf) this.#network.send(this, subject, payload, answerTo);
  }

  subscribe(subject: string, receive: (message: BusMessage) => void): () => void {
    const pattern = new RegExp(`^${subject.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);
    const subscription = { pattern, receive };
    this.#subscriptions.push(subscription);
    return () => {
      this.#subscriptions.splice(this.#subscriptions.indexOf(subscription), 1);
    };
  }

  onConnected(listener: (connected: boolean) => void): void {
    this.#listeners.push(listener);
  }

  takes(subject: string): boolean {
    return this.connected && this.#subscriptions.some(({ pattern }) => pattern.test(subject));
  }

  receive(message: BusMessage): void {
    if (!this.connected) return;
    for (const { pattern, receive } of [...this.#subscriptions]) if (pattern.test(message.subject)) receive(message);
  }

  cut(downMs: number, schedule: Schedule): void {
    if (!this.connected) return;
    this.connected = false;
    this.connection++;
    for (const listener of this.#listeners) listener(false);
    schedule.schedule(downMs, () => {
      this.connected = true;
      this.connection++;
      this.isDeaf = false;
      for (const listener of this.#listeners) listener(true);
    });
  }

  /** The process is gone, and does not say so. */
  die(): void {
    this.connected = false;
    this.connection++;
    this.#listeners.length = 0;
    this.#network.leave(this);
  }

  async close(): Promise<void> {
    this.die();
  }
}

/** The same bus for whoever is not to see that frames were lost on it: those that come have the numbers that they would have then. */
export function renumbered(bus: SimulatedBus): Bus {
  const numbers = new Map<string, number>();
  return new Proxy(bus, {
    get: (target, name) => {
      if (name !== 'subscribe') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (subject: string, receive: (message: BusMessage) => void) =>
        target.subscribe(subject, (message) => {
          const bytes = Buffer.from(message.payload);
          const isFrame = bytes.byteLength >= 9 && message.answerTo !== '';
          if (isFrame) {
            const channel = `${message.answerTo} ${bytes.readUInt32BE(1)}`;
            const number = bytes[0] === 1 ? 0 : (numbers.get(channel) ?? 0) + 1;
            numbers.set(channel, number);
            bytes.writeUInt32BE(number, 5);
          }
          receive({ ...message, payload: bytes });
        });
    },
  });
}
