import type { SessionOptions } from '../../cli.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { controlLines, linesOf } from './lines.ts';

export const define: Define = (command, cli) =>
  sessionLeaf(command, ['control status', 'control status --json']).action(async (options: SessionOptions) => {
    const session = await cli.session(options);
    const state = await session.controlLease.read({ signal: cli.io.interrupt });
    cli.print(options, state, linesOf(state), (view) => controlLines(state, view));
  });
