import { Gauge, type Registry } from 'prom-client';

/** A host as an edge knows it. */
export interface HostFigures {
  readonly name: string;
  readonly state: 'here' | 'away';
  readonly isDraining: boolean;
  readonly sessions: number;
  readonly devices: readonly { readonly platform: string; readonly total: number; readonly free: number }[];
}

export interface FleetFigures {
  readonly hosts: readonly HostFigures[];
  /** Absent for an edge without a database. */
  readonly isDatabaseReached?: boolean;
}

/** An edge's metrics of its fleet. The names of hosts are the operator's choice, so that their number stays bounded. */
export function publishFleet(registry: Registry, read: () => FleetFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'runcloud_host_up',
    help: 'Whether this edge hears the host',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const { name, state } of read().hosts) this.set({ host: name }, state === 'here' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'runcloud_host_draining',
    help: 'Whether no new session goes to the host',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const { name, isDraining } of read().hosts) this.set({ host: name }, isDraining ? 1 : 0);
    },
  });
  new Gauge({
    name: 'runcloud_host_sessions',
    help: 'Sessions that hold a device of the host',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const { name, sessions } of read().hosts) this.set({ host: name }, sessions);
    },
  });
  new Gauge({
    name: 'runcloud_host_devices',
    help: 'Devices of the host, and whether a session could have them now',
    labelNames: ['host', 'platform', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { name: host, devices } of read().hosts) {
        for (const { platform, total, free } of devices) {
          this.inc({ host, platform, state: 'free' }, free);
          this.inc({ host, platform, state: 'taken' }, total - free);
        }
      }
    },
  });
  if (read().isDatabaseReached === undefined) return;
  new Gauge({
    name: 'runcloud_database_up',
    help: 'Whether the database of the edges answered when this edge last asked',
    registers,
    collect() {
      this.set(read().isDatabaseReached ? 1 : 0);
    },
  });
}
