import { Counter, Gauge, type Registry } from 'prom-client';
import { CHANNEL_REFUSALS, type ChannelFigures } from './channel-counts.ts';

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
  /** What hosts have told of the channels to them. */
  readonly channels: readonly (Partial<ChannelFigures> & { readonly host: string })[];
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
  new Counter({
    name: 'runcloud_host_channel_refusals_total',
    help: 'Channels that the host has not let an edge open, by what was wrong with the grant',
    labelNames: ['host', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const { host, refusals } of read().channels) {
        for (const reason of CHANNEL_REFUSALS) this.inc({ host, reason }, countOf(refusals?.[reason]));
      }
    },
  });
  new Counter({
    name: 'runcloud_host_channel_gaps_total',
    help: 'Channels from edges that ended because a frame was lost on its way to the host',
    labelNames: ['host'],
    registers,
    collect() {
      this.reset();
      for (const { host, gaps } of read().channels) this.inc({ host }, countOf(gaps));
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

/** What a host tells may be of another version. */
const countOf = (told: unknown): number => (Number.isSafeInteger(told) ? Math.max(0, told as number) : 0);
