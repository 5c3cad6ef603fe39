import { readdirSync, readlinkSync } from 'node:fs';

/** Sockets that a process has open, in all its threads; by default this one. */
export const openSockets = (pid: number | 'self' = 'self'): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
