import type { OutputOptions } from '../cli.ts';
import { type Define, leaf } from '../leaf.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['version', 'version --json']).action((options: OutputOptions) => {
    cli.print(options, { version: cli.version }, [cli.version]);
  });
