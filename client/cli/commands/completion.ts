import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { completionScript, SHELLS, type Shell } from '../completion-script.ts';
import { invalidRequest } from '../failure.ts';
import { leaf } from '../leaf.ts';

const EXAMPLES = ['completion bash > ~/.local/share/bash-completion/completions/runcloud', 'completion fish | source'];

/** @param root the whole command line, once it is built */
export const completion = (cli: Cli, root: () => Command): Command =>
  leaf('completion', 'Print a script that completes commands in a shell', EXAMPLES)
    .addArgument(new Argument('<shell>', SHELLS.join(', ')))
    .action((shell: string) => {
      if (!SHELLS.includes(shell as Shell)) throw invalidRequest(`The shell must be one of ${SHELLS.join(', ')}.`);
      cli.out.own(completionScript(shell as Shell, root()));
    });
