import { checkedId } from '../../../sdk/arguments.ts';
import type { SessionHandle } from '../../../sdk/session.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked, invalidRequest } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { note } from '../../terminal/note.ts';
import { lineOf, recordingFacts } from './line.ts';

const ACTIVE: readonly string[] = ['starting', 'recording', 'finalizing'];

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['record stop', 'record stop rec_... --json'])
    .argument('[id]', 'the recording (default: the active one)')
    .action(async (named: string | undefined, options: SessionOptions) => {
      if (named !== undefined) checked(() => checkedId('id', named));
      const session = await cli.session(options);
      const { interrupt: signal } = cli.io;
      const recording = await session.recordings.stop(named ?? (await activeOf(session, signal)), { signal });
      cli.print(options, recording, [lineOf(recording)], (view) => [
        ...recordingFacts(recording, view),
        ...(recording.status === 'ready' ? note('Download it with "runcloud record download".', view) : []),
      ]);
    });

async function activeOf({ recordings }: SessionHandle, signal: AbortSignal): Promise<string> {
  const active = (await recordings.list({ signal })).find(({ status }) => ACTIVE.includes(status));
  if (!active) throw invalidRequest('The session has no active recording: name one.');
  return active.id;
}
