import type { Command } from 'commander';
import type { Cli, OutputOptions } from '../../cli.ts';
import { leaf } from '../../leaf.ts';
import { lineOf } from './line.ts';

export const listApps = (cli: Cli): Command =>
  leaf('list', 'List uploaded apps', ['app list', 'app list --json']).action(async (options: OutputOptions) => {
    const assets = await cli.cloud.assets.list({ signal: cli.io.interrupt });
    cli.print(options, { assets }, assets.length === 0 ? ['no apps'] : assets.map(lineOf));
  });
