import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { Port } from './messages.ts';

export interface ProcessPortOptions<In> {
  /** The child's standard streams for outgoing and incoming lines. */
  readonly channel: number;
  readonly decode: (line: string) => In;
  /** Maximum length of a line; a child that exceeds it is killed. */
  readonly lineCharactersMax: number;
  /** Kills the child and its descendants at once. */
  readonly kill: (child: ChildProcess) => void;
}

/**
 * The gateway's end of a connection to a process: one JSON text per line in both directions. Closing it ends the process. So does
 * a line that cannot be parsed: the process may be compromised by the package that it reads.
 */
export function portToProcess<Out, In>(child: ChildProcess, options: ProcessPortOptions<In>): Port<Out, In> {
  // Without free file descriptors the child has no streams.
  const channel = child.stdio?.[options.channel] as Duplex | undefined;
  let receive: (batch: readonly In[]) => void = () => undefined;
  let why: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // Only after all of its output is read.
    child.once('close', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
  });
  const giveUp = (reason: string) => {
    why ??= reason;
    options.kill(child);
  };
  let rest = '';
  channel?.setEncoding('utf8');
  channel?.on('data', (text: string) => {
    const [first = '', ...lines] = text.split('\n');
    rest += first;
    for (const next of lines) {
      const line = rest;
      rest = next;
      if (why !== undefined) return;
      let message: In;
      try {
        message = options.decode(line);
      } catch (error) {
        return giveUp(`it said what nobody understands: ${String(error)}`);
      }
      receive([message]);
    }
    if (rest.length > options.lineCharactersMax) giveUp('it said more than is believable');
  });
  // A write to an ended process fails; its exit reports the reason.
  channel?.on('error', () => undefined);
  return {
    send: (batch) => {
      for (const message of batch) channel?.write(`${JSON.stringify(message)}\n`);
    },
    onReceive: (listener) => {
      receive = listener;
    },
    onClosed: (listener) => {
      // A listener that throws must not end the service.
      exited.then((reason) => listener(why ?? reason)).catch((error) => process.emitWarning(String(error)));
    },
    async close() {
      giveUp('it was closed');
      await exited;
      channel?.destroy();
    },
  };
}
