import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Words {
  /** Names of the commands down to this one: `session create`. */
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly string[];
}

/** Words that can follow each command, derived from the commands themselves so that the script cannot become outdated. */
function wordsOf(command: Command, path = ''): Words[] {
  const { commands } = command;
  const options = [...command.options.map(({ long }) => long ?? ''), '--help'];
  return [
    { path, commands, options },
    ...commands.flatMap((child) => wordsOf(child, `${path} ${child.name()}`.trim())),
  ];
}

const names = ({ commands, options }: Words): string =>
  [...commands.map((child) => child.name()), ...options].join(' ');

/** Walks the words before the cursor down the commands; bash and zsh share it. */
const table = (all: readonly Words[]): string =>
  all.map((words) => `    "${words.path}") words="${names(words)}" ;;`).join('\n');

const bash = (all: readonly Words[]): string => `_runcloud() {
  local path="" words="" word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${all.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join(' | ')}) path="$next" ;;
    esac
  done
  case "$path" in
${table(all)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _runcloud runcloud
`;

const zsh = (all: readonly Words[]): string => `#compdef runcloud
_runcloud() {
  local path_="" candidates="" word next
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${path_:+$path_ }$word"
    case "$next" in
      ${all.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join(' | ')}) path_="$next" ;;
    esac
  done
  case "$path_" in
${table(all).replaceAll('words=', 'candidates=')}
  esac
  compadd -- \${=candidates} || _files
}
compdef _runcloud runcloud
`;

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const inside = path === '' ? '__fish_use_subcommand' : `__runcloud_inside ${path}`;
    return [
      ...commands.map(
        (child) => `complete -c runcloud -n '${inside}' -f -a ${child.name()} -d ${quoted(child.description())}`,
      ),
      ...options.map((option) => `complete -c runcloud -n '${inside}' -l ${option.slice(2)}`),
    ];
  });
  return `function __runcloud_inside
  set -l words (commandline -opc)
  test (count $words) -gt (count $argv); and test "$words[2..(math (count $argv) + 1)]" = "$argv"
end
${lines.join('\n')}
`;
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`;

export function completionScript(shell: Shell, root: Command): string {
  return { bash, zsh, fish }[shell](wordsOf(root));
}
