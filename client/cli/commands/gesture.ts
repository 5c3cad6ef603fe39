import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { invalidRequest } from '../failure.ts';
import { type InteractionOptions, interact, interactionLeaf } from '../interaction.ts';

const EXAMPLES = ['gesture pinch.json', 'gesture - < pinch.json'];

export const gesture = (cli: Cli): Command =>
  interactionLeaf('gesture', 'Move one or two fingers, step by step', EXAMPLES)
    .argument('<file>', 'JSON list of { phase, points, delayMs? }; - reads standard input')
    .action(async (file: string, options: InteractionOptions) =>
      interact(cli, { action: 'gesture', steps: await readSteps(cli, file) }, options),
    );

async function readSteps(cli: Cli, file: string): Promise<unknown> {
  const content = await (file === '-' ? text(cli.io.stdin) : readFile(file, 'utf8')).catch(() => {
    throw invalidRequest(`"${file}" cannot be read.`);
  });
  try {
    return JSON.parse(content);
  } catch {
    throw invalidRequest(`"${file}" is not JSON.`);
  }
}
