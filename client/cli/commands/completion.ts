import { Argument } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion-script.ts';
import { invalidRequest } from '../failure.ts';
import { type Define, leaf } from '../leaf.ts';

const EXAMPLES = ['completion bash > ~/.local/share/bash-completion/completions/runcloud', 'completion fish | source'];

export const define: Define = (command, cli, whole) =>
  leaf(command, EXAMPLES)
    .addArgument(new Argument('<shell>', SHELLS.join(', ')))
    .action(async (shell: string) => {
      if (!SHELLS.includes(shell as Shell)) throw invalidRequest(`The shell must be one of ${SHELLS.join(', ')}.`);
      cli.out.own(completionScript(shell as Shell, await whole()));
    });
