import type { NatsConnection } from '@nats-io/transport-node';

/** Environment variable with how the NATS controls connect, as JSON. */
export const NATS_CONTROL = 'BENCH_NATS';

export interface NatsControl {
  readonly servers: string;
  readonly user: string;
  readonly pass: string;
  /** On which requests are answered, or pictures are published. */
  readonly subject: string;
}

/** A control's own connection. The library is loaded only here: the bench itself needs none. */
export async function connectControl(): Promise<{ readonly nats: NatsConnection; readonly subject: string }> {
  const { connect } = await import('@nats-io/transport-node');
  const { subject, ...settings } = JSON.parse(process.env[NATS_CONTROL] ?? '') as NatsControl;
  return { nats: await connect(settings), subject };
}

/** On which the bridge tells whether anybody watches: the content is empty if nobody does. */
export const watchedOn = (subject: string): string => `${subject}.watched`;
