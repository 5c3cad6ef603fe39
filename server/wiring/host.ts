import type { ControlSockets } from '../control/control-sockets.ts';
import { nextEpoch } from '../fleet/epoch.ts';
import { GrantedCallers } from '../fleet/granted-callers.ts';
import { GrantVerifier } from '../fleet/grants.ts';
import { HostChannels } from '../fleet/host-channels.ts';
import type { HostLog } from '../fleet/host-log.ts';
import { HostPresence } from '../fleet/host-presence.ts';
import type { OutboxPage } from '../fleet/messages.ts';
import { connectNats } from '../fleet/nats-bus.ts';
import type { FleetSettings } from '../fleet-settings.ts';
import type { ChannelCounts } from '../observe/channel-counts.ts';
import type { RestFacade } from '../rest/facade.ts';
import type { HostReport } from '../store/host-session-table.ts';
import type { OutboxTable } from '../store/outbox-table.ts';
import type { AccountBlock } from './accounts.ts';
import type { DeviceBlock } from './devices.ts';
import type { FileBlock } from './files.ts';
import type { Foundation } from './foundation.ts';
import type { SessionBlock } from './sessions.ts';

/** Who asks, as the edges say. An account is kept under its id alone: its name and its credentials are the edges'. */
export function openCallers({ store, clock }: Foundation, { reachEpoch }: AccountBlock): GrantedCallers {
  const known = new Set<string>();
  return new GrantedCallers(({ principal: { accountId: id, organizationId }, accountEpoch }) => {
    if (!known.has(id) && !store.accounts.byId(id)) {
      store.accounts.insert({ id, organizationId, name: id, createdAtMs: Math.floor(clock.wallMs()) });
    }
    known.add(id);
    reachEpoch(id, accountEpoch);
  });
}

const REPORTS_MAX = 50;

/** What is to be told behind a position, once a power cut cannot take it back. */
async function readOutbox(outbox: OutboxTable, store: Foundation['store'], after: number): Promise<OutboxPage> {
  const { newest } = outbox;
  const entries = outbox.after(after, REPORTS_MAX);
  const reports = entries.flatMap(({ kind, id }): HostReport[] => {
    if (kind === 'recording') {
      const row = store.recordings.get(id);
      return row ? [{ kind, row, events: store.recordingEvents.list(id) }] : [];
    }
    const row = store.sessions.byId(id);
    return row ? [{ kind, row }] : [];
  });
  await store.durable();
  const more = entries.length === REPORTS_MAX;
  return { reports, position: more ? (entries.at(-1)?.position ?? newest) : newest, more };
}

/** Longer than any edge goes on accepting what another one has ended. */
const ENDED_KEPT_MS = 300_000;

/** Serves the fleet's edges, in the place of a listener. */
export async function openHost(
  { settings, store, clock, logger, signals, listening, own, onFault }: Foundation,
  outbox: OutboxTable,
  { nats, hostName: host, fleetKey }: Extract<FleetSettings, { role: 'host' }>,
  { reachEpoch, epochOf }: AccountBlock,
  { leases }: DeviceBlock,
  { assets, assetsElsewhere }: FileBlock,
  registry: SessionBlock,
  served: {
    readonly callers: GrantedCallers;
    readonly http: RestFacade;
    readonly sockets: ControlSockets;
    readonly log: HostLog;
    readonly channelCounts: ChannelCounts;
  },
): Promise<void> {
  const epoch = nextEpoch(settings.dataDir);
  const bus = await connectNats(nats, `runcloud host ${host}`, onFault);
  own(() => bus.close());
  bus.onConnected((connected) => {
    if (connected) logger.info('NATS is back');
    else logger.error('NATS cannot be reached: sessions go on, and nobody can reach them');
  });
  /** Credentials that ended in the last minutes, by when they can be forgotten. */
  const ended = new Map<string, number>();
  const end = (holder: string) => {
    const nowMs = clock.monotonicMs();
    for (const [one, untilMs] of ended) {
      if (untilMs > nowMs) break;
      ended.delete(one);
    }
    ended.delete(holder);
    ended.set(holder, nowMs + ENDED_KEPT_MS);
    signals.emit('credentialRevoked', holder);
  };
  const channels = new HostChannels({
    bus,
    host,
    epoch,
    verifier: new GrantVerifier(fleetKey),
    ...served,
    clock,
    outbox: (position) => readOutbox(outbox, store, position),
    knows: (accountId, key) => registry.knowsKey({ accountId }, key),
    adopt: (asset, body) => assets.adopt(asset, body),
    drop: ({ accountId, id }) => assets.delete({ accountId }, id),
    onPublicUrl: (url) => {
      if (listening.url === url) return;
      listening.url = url;
      registry.forgetAddresses();
    },
    onSuperseded: () =>
      logger.error({ host, epoch }, 'another process serves under the name of this host: this one is heard no more'),
    isCurrent: ({ principal: { accountId, keyId }, accountEpoch }) =>
      accountEpoch >= epochOf(accountId) && !ended.has(keyId),
    // It is to know at once what is here.
    onEdge: () => presence.tell(),
    onRevoked: (notice) => {
      if (notice.kind === 'credentialRevoked') end(notice.holder);
      else reachEpoch(notice.accountId, notice.epoch);
    },
    onFault,
  });
  own(() => channels.close());
  assetsElsewhere.fetch = (accountId, id) => channels.want({ accountId, id });
  const presence: HostPresence = new HostPresence({
    bus,
    host,
    epoch,
    clock,
    devices: () => leases.count(),
    sessions: () => registry.liveCount,
    channels: () => served.channelCounts.figures,
    outbox: () => outbox.newest,
  });
  own(() => presence.close());
}
