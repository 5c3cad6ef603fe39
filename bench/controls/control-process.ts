/** Code that the control servers share: reading their constant answer, and reporting that they are ready. */

/** Environment variable with the constant answer of a control, in base64: bytes for sockets, JSON for HTTP. */
export const CONTROL_ANSWER = 'BENCH_CONTROL_ANSWER';

/** The answer to every request. It is as long as the service's own answer, so that both can be compared. */
export function controlAnswer(): Uint8Array {
  const answer = process.env[CONTROL_ANSWER];
  if (!answer) throw new Error(`${CONTROL_ANSWER} is not set: a control is started by a scenario`);
  return new Uint8Array(Buffer.from(answer, 'base64'));
}

/** Prints the control's address in the form of the service's own ready line. */
export function controlReady(name: string, port: number): void {
  process.stdout.write(`${name} listening on http://127.0.0.1:${port}\n`);
}
