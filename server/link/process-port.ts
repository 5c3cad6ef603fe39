import type { Port } from './messages.ts';

export interface ProcessEnd {
  readonly reason: string;
  /** It ended with its launcher, or was never started: its work is not the cause. */
  readonly lost?: boolean;
}

/** A process that was just started, with one pipe that carries text both ways. */
export interface PipedProcess {
  /** Without effect on an ended process. */
  write(text: string): void;
  onText(listener: (text: string) => void): void;
  /** Settles when the process has ended and its text was heard, or when it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** Kills it and its descendants at once. */
  kill(): void;
}

export interface ProcessPortOptions<In> {
  readonly decode: (line: string) => In;
  /** Maximum length of a line; a process that exceeds it is killed. */
  readonly lineCharactersMax: number;
}

export interface ProcessPort<Out, In> extends Port<Out, In> {
  /** @param listener `lost`: see `ProcessEnd` */
  onClosed(listener: (reason: string, lost: boolean) => void): void;
}

/**
 * The gateway's end of a connection to a process: one JSON text per line in both directions. Closing it ends the process. So does
 * a line that cannot be parsed: the process may be compromised by the package that it reads.
 */
export function portToProcess<Out, In>(
  piped: PipedProcess,
  { decode, lineCharactersMax }: ProcessPortOptions<In>,
): ProcessPort<Out, In> {
  let receive: (batch: readonly In[]) => void = () => undefined;
  let why: string | undefined;
  const giveUp = (reason: string) => {
    why ??= reason;
    piped.kill();
  };
  let rest = '';
  piped.onText((text) => {
    // It says more until the kill arrives.
    if (why !== undefined) return;
    const [first = '', ...lines] = text.split('\n');
    rest += first;
    for (const next of lines) {
      const line = rest;
      rest = next;
      if (why !== undefined) return;
      let message: In;
      try {
        message = decode(line);
      } catch (error) {
        return giveUp(`it said what nobody understands: ${String(error)}`);
      }
      receive([message]);
    }
    if (rest.length > lineCharactersMax) giveUp('it said more than is believable');
  });
  return {
    send: (batch) => {
      for (const message of batch) piped.write(`${JSON.stringify(message)}\n`);
    },
    onReceive: (listener) => {
      receive = listener;
    },
    onClosed: (listener) => {
      // A listener that throws must not end the service.
      piped.ended
        .then(({ reason, lost = false }) => listener(why ?? reason, lost && why === undefined))
        .catch((error) => process.emitWarning(String(error)));
    },
    async close() {
      giveUp('it was closed');
      await piped.ended;
    },
  };
}
