import type { ToolEnvironment } from '../../device/target.ts';
import { findProgram } from './find-program.ts';
import { runTool } from './run-tool.ts';

const ASK_MS_MAX = 5_000;

/** How long each of these processes has been running; `undefined` if that cannot be determined. */
export async function agesOf(
  pids: readonly number[],
  tools: ToolEnvironment,
  systemFolders: readonly string[] = ['/bin', '/usr/bin'],
): Promise<ReadonlyMap<number, number> | undefined> {
  if (pids.length === 0) return new Map();
  const ps = findProgram('ps', tools, systemFolders);
  if (ps === undefined) return undefined;
  try {
    const args = ['-o', 'pid=,etime=', '-p', pids.join(',')];
    const { stdout } = await runTool(ps, args, { tools, timeoutMs: ASK_MS_MAX });
    return readAges(stdout.toString());
  } catch {
    return undefined;
  }
}

/** Lines such as `4711  1-02:03:04`: a process, and its days, hours, minutes and seconds (POSIX, `ps -o etime`). */
export function readAges(text: string): ReadonlyMap<number, number> {
  const rows = text.matchAll(/^\s*(\d{1,10})\s+(?:(?:(\d{1,5})-)?(\d{1,2}):)?(\d{1,2}):(\d{2})\s*$/gm);
  return new Map(
    [...rows].map(([, pid, days = 0, hours = 0, minutes, seconds]) => {
      const s = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
      return [Number(pid), s * 1_000];
    }),
  );
}
