/** What the control servers have in common: where their constant answer comes from and how they start. */

/** Environment variable with the constant answer of a control, in base64: bytes for sockets, JSON for HTTP. */
export const CONTROL_ANSWER = 'BENCH_CONTROL_ANSWER';

/** The bytes every request is answered with: as long as the answer of the service that the control stands beside. */
export function controlAnswer(): Uint8Array {
  const answer = process.env[CONTROL_ANSWER];
  if (!answer) throw new Error(`${CONTROL_ANSWER} is not set: a control is started by a scenario`);
  return new Uint8Array(Buffer.from(answer, 'base64'));
}

/** Says where the control listens, in the form of the service's own ready line. */
export function controlReady(name: string, port: number): void {
  process.stdout.write(`${name} listening on http://127.0.0.1:${port}\n`);
}
