/** Environment variable with how the NATS controls connect, as JSON. */
export const NATS_CONTROL = 'BENCH_NATS';

export interface NatsControl {
  readonly servers: string;
  readonly user: string;
  readonly pass: string;
  /** On which requests are answered. */
  readonly subject: string;
}
