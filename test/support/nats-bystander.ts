import { connect, type NatsConnection } from '@nats-io/transport-node';
import { randomBase62 } from '@runcloud/protocol/terms';
import { decodeFrame, decodeHead, FRAME, type Frame } from '../../server/fleet/frames.ts';
import type { Grant, OpenHead } from '../../server/fleet/messages.ts';
import type { NatsUser } from '../../server/fleet/nats-users.ts';
import { PRESENCES } from '../../server/fleet/subjects.ts';
import type { TestFleet } from './fleet.ts';

const MET_MS_MAX = 20_000;

/** One request or socket between an edge and a host, as it went over NATS. */
export interface SeenChannel {
  /** The subject that its edge hears answers on, and its number. */
  readonly name: string;
  readonly open: OpenHead;
  /** Who asks, as the edge has signed it. */
  readonly grant: Grant;
  /** What the edge said, and what the host said. */
  readonly asked: Buffer;
  readonly answered: Buffer;
}

interface SeenMessage {
  readonly subject: string;
  readonly reply: string | undefined;
  readonly payload: Buffer;
}

/** Somebody who reads all that goes over the NATS server of a fleet, and says nothing. */
export class NatsBystander {
  readonly #connection: NatsConnection;
  readonly #seen: SeenMessage[] = [];

  private constructor(connection: NatsConnection) {
    this.#connection = connection;
    connection.subscribe('>', {
      callback: (_error, { subject, reply, data }) => {
        this.#seen.push({ subject, reply: reply === '' ? undefined : reply, payload: Buffer.from(data) });
      },
    });
  }

  /** Resolves when it hears the hosts. */
  static async start({ nats, users }: TestFleet): Promise<NatsBystander> {
    const user: NatsUser = {
      user: 'bystander',
      password: randomBase62(32),
      permissions: { publish: ['none'], subscribe: ['>'] },
      environment: {},
    };
    nats.configure([...users, user]);
    for (const endMs = Date.now() + MET_MS_MAX; ; ) {
      try {
        const asked = { servers: nats.address, user: user.user, pass: user.password, reconnect: false };
        const bystander = new NatsBystander(await connect(asked));
        while (!bystander.#seen.some(({ subject }) => subject.startsWith(PRESENCES.slice(0, -1)))) {
          if (Date.now() > endMs) throw new Error('no host is heard');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return bystander;
      } catch (error) {
        // The server takes its new configuration in a moment.
        if (Date.now() > endMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  get count(): number {
    return this.#seen.length;
  }

  /** Every payload, and what is signed in it as it can be read. */
  payloads(): readonly Buffer[] {
    return this.#seen.flatMap(({ payload }) => {
      const frame = decodeFrame(payload);
      if (frame?.type !== FRAME.open) return [payload];
      const { head } = decodeHead<OpenHead>(frame.payload);
      return [payload, Buffer.from(JSON.stringify(claimsIn(head.grant)))];
    });
  }

  /** What hosts have told edges, in its order. */
  answers(): readonly Frame[] {
    return this.#seen.flatMap(({ subject, payload }) => {
      const frame = /\.edge\.[^.]+\./.test(subject) ? decodeFrame(payload) : undefined;
      return frame ? [frame] : [];
    });
  }

  /** All channels, whose frames are put together. */
  channels(): readonly SeenChannel[] {
    const channels = new Map<string, { open?: OpenHead; asked: Buffer[]; answered: Buffer[] }>();
    for (const { subject, reply, payload } of this.#seen) {
      const frame = decodeFrame(payload);
      const edge = /\.edge\.[^.]+\./.test(subject) ? subject : reply;
      if (!frame || edge === undefined || frame.type === FRAME.want) continue;
      const name = `${edge} ${frame.channel}`;
      const channel = channels.get(name) ?? { asked: [], answered: [] };
      channels.set(name, channel);
      if (frame.type === FRAME.open) channel.open = decodeHead<OpenHead>(frame.payload).head;
      (subject === edge ? channel.answered : channel.asked).push(Buffer.from(frame.payload));
    }
    return [...channels].flatMap(([name, { open, asked, answered }]) =>
      open
        ? [{ name, open, grant: claimsIn(open.grant), asked: Buffer.concat(asked), answered: Buffer.concat(answered) }]
        : [],
    );
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

const claimsIn = (signed: string): Grant =>
  JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString()) as Grant;
