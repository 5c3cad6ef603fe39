import { checkedIdempotencyKey } from '../../../sdk/arguments.ts';
import type { SessionOptions } from '../../cli.ts';
import { checked } from '../../failure.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { bold, done } from '../../terminal/line.ts';
import { note } from '../../terminal/note.ts';
import { lineOf } from './line.ts';

type Options = SessionOptions & { readonly idempotencyKey?: string };

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['record start', 'record start --idempotency-key "build 7"'])
    .option('--idempotency-key <key>', 'a repeated key returns the first recording')
    .action(async (options: Options) => {
      const idempotencyKey = checked(() => checkedIdempotencyKey(options.idempotencyKey));
      const session = await cli.session(options);
      const recording = await session.recordings.start({ idempotencyKey, signal: cli.io.interrupt });
      cli.print(options, recording, [lineOf(recording)], (view) => [
        done('Recording ', bold(recording.id), '.'),
        ...note('Stop it with "runcloud record stop".', view),
      ]);
    });
