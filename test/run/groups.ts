import { ALONE, APART, LONG, OVER_WS } from './sets.ts';

/** A process that runs one or more files. */
export interface Group {
  /** Names the process where it runs more than one file. */
  readonly name: string;
  readonly files: readonly string[];
  readonly isAlone: boolean;
  /** Variables of the environment that its files run with. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * To load tap and the service costs a process two seconds of a processor, so each runs many files; and there are several times
 * as many processes as run beside each other, so that the processors are busy to the end.
 */
const GROUP_FILES_MAX = 40;
/** They take long each, and few. */
const OVER_WS_FILES_MAX = 16;

/** Files are dealt out one by one: those that take long stand beside each other in a room, and so come into different groups. */
function dealt(files: readonly string[], most = GROUP_FILES_MAX): string[][] {
  const parts = Math.ceil(files.length / most);
  return Array.from({ length: parts }, (_, part) => {
    const own = files.filter((_, index) => index % parts === part);
    // Neighbours go through the rooms in opposite order: where one waits, the other has work for the processor.
    return part % 2 === 0 ? own : own.reverse();
  });
}

export function groupsOf(files: readonly string[]): Group[] {
  const isShared = (file: string) => !(file in ALONE) && !(file in LONG) && !(file in APART);
  return [
    ...dealt(files.filter(isShared)).map((own, part) => ({ name: `shared-${part + 1}`, files: own, isAlone: false })),
    ...files.filter((file) => !isShared(file)).map((file) => ({ name: file, files: [file], isAlone: file in ALONE })),
  ];
}

/** The files that run once more, over the other socket library. */
export function groupsOverWs(files: readonly string[] = OVER_WS): Group[] {
  return dealt(files, OVER_WS_FILES_MAX).map((own, part) => ({
    name: `over-ws-${part + 1}`,
    files: own,
    isAlone: false,
    environment: { RUNCLOUD_SOCKETS: 'ws' },
  }));
}
