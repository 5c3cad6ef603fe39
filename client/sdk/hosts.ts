import type { Platform } from './types.ts';

/** Devices of one kind at a host. */
export interface HostDevices {
  readonly platform: Platform;
  readonly model: string;
  readonly osVersion: string;
  readonly driver: string;
  readonly total: number;
  /** Those that a session could have now. */
  readonly free: number;
}

/** A machine with devices; a service alone is the host `local`. */
export interface Host {
  readonly name: string;
  /** `away`: it has not been heard of for seconds; its sessions go on. */
  readonly state: 'here' | 'away';
  /** No new session goes there. */
  readonly isDraining: boolean;
  /** Sessions that have a device. */
  readonly sessions: number;
  readonly devices: readonly HostDevices[];
}

export interface HostList {
  /** By name. */
  readonly hosts: readonly Host[];
}
