import type { Cli, SessionOptions } from '../cli.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { type Define, sessionLeaf } from '../leaf.ts';
import { bold, dim } from '../terminal/line.ts';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['watch', 'watch | jq .event']).action((options: SessionOptions) => printEvents(cli, options));

async function printEvents(cli: Cli, options: SessionOptions): Promise<void> {
  const { interrupt: signal } = cli.io;
  const print = (event: object) => printEvent(cli, options, event);
  const session = await cli.session(options);
  const control = await session.connect({ signal, reconnectMs: Number.POSITIVE_INFINITY });
  const { platform, status, orientation } = control.ready.session;
  const events = control.events();
  print({ event: 'connected', sessionId: session.id, platform, status, orientation });
  control.on('disconnected', () => print({ event: 'disconnected' }));
  control.on('reconnected', ({ resumed }) => print({ event: 'connected', sessionId: session.id, platform, resumed }));
  signal.addEventListener('abort', () => session.disconnect());
  // It ends with the session; whatever else ends the control is thrown.
  for await (const event of events) print(event);
  // Ctrl-C is the normal end of `watch`: not a failure, and without a message.
  if (signal.aborted) throw new CommandFailure({}, EXIT.interrupted);
}

/** One line: for a person the time of day, the event, and what it says. */
function printEvent(cli: Cli, options: SessionOptions, event: object): void {
  if (!cli.isForPerson(options)) return cli.out.json(event);
  const { event: name, ...rest } = event as Readonly<Record<string, unknown>>;
  const time = new Date(cli.view.nowMs).toLocaleTimeString('en-GB');
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  cli.out.lines([[dim(time), '  ', bold(String(name)), facts.length === 0 ? '' : `  ${facts.join(', ')}`]]);
}
