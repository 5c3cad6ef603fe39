import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ControlClient } from './control-client.ts';
import type { FloodedService } from './flooded-service.ts';
import { iosPackage } from './ios-package.ts';
import { invite, PASSWORD, type Person, signIn } from './people.ts';

/** Milliseconds that each thing took. */
export interface Times {
  readonly taps: readonly number[];
  readonly lists: readonly number[];
  readonly uploads: readonly number[];
  readonly 'sign-ins': readonly number[];
}

/** How often each is done. */
export type Counts = { readonly [Name in keyof Times]: number };

/** Taps and lists leave at these intervals, whether the one before has been answered or not. */
const TAP_MS = 5;
const TAPS_PER_LIST = 4;
const PAUSE_MS = 5;
const LISTS = ['/service/sessions', '/service/assets', '/service/account/keys', '/service/sessions?status=active'];
/** Number of ended sessions in the list of sessions. */
const ENDED_SESSIONS = 20;

/** An account that uses the service as people and programs do, and takes the time of all that it does. */
export class OtherAccount {
  readonly #service: FloodedService;
  readonly #control: ControlClient;
  readonly #package: Buffer;
  /** They sign in by turns: nobody does so all the time. */
  readonly #people: Person[];
  readonly #agent = new Agent({ keepAlive: true });
  #requests = 0;

  private constructor(service: FloodedService, control: ControlClient, content: Buffer, people: Person[]) {
    this.#service = service;
    this.#control = control;
    this.#package = content;
    this.#people = people;
  }

  static async open(service: FloodedService, people: number): Promise<OtherAccount> {
    const { own, url } = service;
    for (let count = 0; count < ENDED_SESSIONS; count++) {
      const { id } = await own.createSession('ios');
      await own.releaseSession(id);
    }
    const control = await ControlClient.connect(url, await own.createSession('ios'), own.authorization);
    const persons: Person[] = [];
    while (persons.length < people) persons.push(await invite(service, `person${persons.length}@example.com`));
    return new OtherAccount(service, control, await iosPackage(), persons);
  }

  get emails(): readonly string[] {
    return this.#people.map(({ email }) => email);
  }

  async measure(counts: Counts): Promise<Times> {
    const [taps, lists] = await this.#tapAndList(counts.taps, counts.lists);
    const uploads = await this.#inTurn(counts.uploads, () => this.#upload());
    const signIns = await this.#inTurn(counts['sign-ins'], () => this.#signIn());
    return { taps, lists, uploads, 'sign-ins': signIns };
  }

  close(): void {
    this.#control.terminate();
    this.#agent.destroy();
  }

  /**
   * Each leaves at its time: one that is held up keeps no other from leaving. Its own time begins when it has left, because
   * this process's timer is a millisecond wide.
   */
  async #tapAndList(taps: number, lists: number): Promise<[readonly number[], readonly number[]]> {
    const [tapping, listing]: [Promise<number>[], Promise<number>[]] = [[], []];
    const startMs = performance.now();
    for (let tick = 0; tapping.length < taps || listing.length < lists; tick++) {
      if (tapping.length < taps) tapping.push(timed(() => this.#tap()));
      await sleep(startMs + (tick + 0.5) * TAP_MS - performance.now());
      if (tick % TAPS_PER_LIST === 0 && listing.length < lists) listing.push(timed(() => this.#list(listing.length)));
      await sleep(startMs + (tick + 1) * TAP_MS - performance.now());
    }
    return [await Promise.all(tapping), await Promise.all(listing)];
  }

  async #inTurn(count: number, act: () => Promise<() => Promise<unknown>>): Promise<readonly number[]> {
    const times: number[] = [];
    while (times.length < count) {
      const startMs = performance.now();
      const tidyUp = await act();
      times.push(performance.now() - startMs);
      await tidyUp();
      await sleep(PAUSE_MS);
    }
    return times;
  }

  async #tap(): Promise<void> {
    const { status } = await this.#control.interact({
      requestId: `t-${++this.#requests}`,
      action: 'tap',
      x: 0.5,
      y: 0.5,
      acks: 'final',
    });
    if (status !== 'completed') throw new Error(`a tap ended ${status}`);
    this.#control.messages.length = 0;
  }

  #list(count: number): Promise<void> {
    const { own, url } = this.#service;
    return new Promise((resolve, reject) => {
      const headers = { Authorization: own.authorization };
      request(url + LISTS[count % LISTS.length], { agent: this.#agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a list was answered ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
  }

  async #upload(): Promise<() => Promise<unknown>> {
    const { own } = this.#service;
    const response = await own.fetch('/service/assets', { method: 'POST', body: new Uint8Array(this.#package) });
    const { id } = (await response.json()) as { id: string };
    if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
    return () => own.call('DELETE', `/service/assets/${id}`);
  }

  async #signIn(): Promise<() => Promise<unknown>> {
    const person = this.#people.shift();
    if (!person) throw new Error('there is nobody to sign in');
    this.#people.push(person);
    const { status } = await signIn(person.browser, person.email, PASSWORD, '192.0.2.1');
    if (status !== 200) throw new Error(`a sign-in was answered ${status}`);
    return async () => undefined;
  }
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}
