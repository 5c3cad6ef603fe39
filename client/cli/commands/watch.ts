import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['watch', 'watch | jq .event']).action((options: SessionOptions) => printEvents(cli, options));

async function printEvents(cli: Cli, options: SessionOptions): Promise<void> {
  const { interrupt: signal } = cli.io;
  const print = (event: object) => cli.out.json(event);
  const session = await cli.session(options);
  const control = await session.connect({ signal });
  const { platform, status, orientation } = control.ready.session;
  const events = control.events();
  print({ event: 'connected', sessionId: session.id, platform, status, orientation });
  control.on('disconnected', () => print({ event: 'disconnected' }));
  control.on('ready', () => print({ event: 'connected', sessionId: session.id, platform }));
  signal.addEventListener('abort', () => session.disconnect());
  // It ends with the session; whatever else ends the control is thrown.
  for await (const event of events) print(event);
  // Ctrl-C is the normal end of `watch`: not a failure, and without a message.
  if (signal.aborted) throw new CommandFailure({}, EXIT.interrupted);
}
