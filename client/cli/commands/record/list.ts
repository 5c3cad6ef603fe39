import type { Command } from 'commander';
import type { Cli, SessionOptions } from '../../cli.ts';
import { sessionLeaf } from '../../leaf.ts';
import { lineOf } from './line.ts';

export const listRecordings = (cli: Cli): Command =>
  sessionLeaf('list', 'List recordings, newest first', ['record list', 'record list --json']).action(
    async (options: SessionOptions) => {
      const session = await cli.session(options);
      const recordings = await session.recordings.list({ signal: cli.io.interrupt });
      const lines = recordings.length === 0 ? ['no recordings'] : recordings.map(lineOf);
      cli.print(options, { recordings }, lines);
    },
  );
