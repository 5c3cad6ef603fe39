import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { Port } from './messages.ts';

export interface ProcessPortOptions<In> {
  /** Of the child's standard streams: the one that lines are written to and read from. */
  readonly channel: number;
  readonly decode: (line: string) => In;
  /** A child that says more before the end of a line is ended. */
  readonly lineCharactersMax: number;
  /** Ends the child, with whatever it has started, at once. */
  readonly kill: (child: ChildProcess) => void;
}

/**
 * The gateway's end of a connection to a process: one JSON text a line, both ways. Closing it ends the process, and so does
 * a line that cannot be read: the process has been taken over by what it was to look at.
 */
export function portToProcess<Out, In>(child: ChildProcess, options: ProcessPortOptions<In>): Port<Out, In> {
  // A program that cannot be started for want of descriptors has no streams at all.
  const channel = child.stdio?.[options.channel] as Duplex | undefined;
  let receive: (batch: readonly In[]) => void = () => undefined;
  let why: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // Not before all is read that it has said.
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
  // A process that is gone hears nothing; its exit tells the reason.
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
