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

const GROUP_FILES_MAX = 16;

/** Files of one room share modules, so they go together, in groups that are small enough to fill all processors to the end. */
export function groupsOf(files: readonly string[]): Group[] {
  const roomOf = (file: string) => file.split('/')[1] ?? '';
  const isShared = (file: string) => !(file in ALONE) && !(file in LONG) && !(file in APART);
  const single = (file: string) => ({ name: file, files: [file], isAlone: file in ALONE });
  const rooms = new Map<string, string[]>();
  for (const file of files.filter(isShared)) {
    const room = roomOf(file);
    const name = room.endsWith('.ts') ? 'top' : room;
    rooms.set(name, [...(rooms.get(name) ?? []), file]);
  }
  const shared = [...rooms].flatMap(([room, members]) => {
    const parts = Math.ceil(members.length / GROUP_FILES_MAX);
    return Array.from({ length: parts }, (_, part) => ({
      name: `${room}-${part + 1}`,
      files: members.slice(
        Math.floor((part * members.length) / parts),
        Math.floor(((part + 1) * members.length) / parts),
      ),
      isAlone: false,
    }));
  });
  return [...shared, ...files.filter((file) => !isShared(file)).map(single)];
}

/** The files that run once more, over the other socket library. */
export function groupsOverWs(files: readonly string[] = OVER_WS): Group[] {
  const parts = Math.ceil(files.length / GROUP_FILES_MAX);
  return Array.from({ length: parts }, (_, part) => ({
    name: `over-ws-${part + 1}`,
    // Each part gets some of the long ones, which stand beside each other.
    files: files.filter((_, index) => index % parts === part),
    isAlone: false,
    environment: { RUNCLOUD_SOCKETS: 'ws' },
  }));
}
