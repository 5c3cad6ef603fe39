import type { Command } from 'commander';
import type { SessionOptions } from '../../cli.ts';
import { sessionLeaf } from '../../leaf.ts';

export interface PlaceOptions extends SessionOptions {
  readonly app?: string;
}

/** What every command about files has. */
export const placeLeaf = (command: Command, examples: readonly string[]): Command =>
  sessionLeaf(command, examples).option('--app <id>', 'in the folder of this app (default: in the shared folder)');
