import { readdirSync, readFileSync } from 'node:fs';

/** Processes that were started for this host. */
export const adbServersOf = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`XDG_RUNTIME_DIR=${folder}\0`)
      );
    } catch {
      return false;
    }
  });
