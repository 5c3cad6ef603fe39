import type { SessionRecord } from '@runcloud/protocol';
import { ControlClient } from './control-client.ts';
import type { TestServer } from './server.ts';

/** Another client, with a session of its own, that taps all the while. */
export class Bystander {
  readonly #client: ControlClient;
  readonly #session: SessionRecord;
  #stopping = false;
  readonly #done: Promise<number>;

  private constructor(client: ControlClient, session: SessionRecord) {
    this.#client = client;
    this.#session = session;
    this.#done = this.#tapOn();
  }

  static async start({ rest, url }: TestServer): Promise<Bystander> {
    const session = await rest.createSession('android');
    return new Bystander(await ControlClient.connect(url, session, rest.authorization), session);
  }

  /** How many taps were completed. Rejects when one was not. */
  async stop(): Promise<number> {
    this.#stopping = true;
    const taps = await this.#done;
    await this.#client.close();
    return taps;
  }

  async #tapOn(): Promise<number> {
    let taps = 0;
    do {
      const requestId = `bystander-${taps}`;
      const { status, error } = await this.#client.interact({
        requestId,
        action: 'tap',
        x: 0.5,
        y: 0.5,
        acks: 'final',
      });
      if (status !== 'completed') throw new Error(`tap ${taps} in ${this.#session.id} ended ${status}: ${error?.code}`);
      taps++;
    } while (!this.#stopping);
    return taps;
  }
}
