import { createReadStream } from 'node:fs';
import { type HostRecord, ROUTES } from '@runcloud/protocol';
import { placeIn, ServiceError } from '@runcloud/protocol/terms';
import type { Principal } from '../account/authenticator.ts';
import { sessionNamedBy } from '../account/viewer-tokens.ts';
import type { ControlSockets } from '../control/control-sockets.ts';
import { EdgeChannels, type KnownHost } from '../fleet/edge-channels.ts';
import { EdgeLog } from '../fleet/edge-log.ts';
import { Forwarding } from '../fleet/forwarding.ts';
import { FLEET_KEY_PURPOSE, GrantSigner } from '../fleet/grants.ts';
import { HostCalls, ownHead } from '../fleet/host-calls.ts';
import type { HostRecords } from '../fleet/host-records.ts';
import { HostReports } from '../fleet/host-reports.ts';
import type { OpenHead, WantedAsset } from '../fleet/messages.ts';
import { connectNats } from '../fleet/nats-bus.ts';
import { RelaySockets } from '../fleet/relay-sockets.ts';
import { placeOf } from '../fleet/subjects.ts';
import type { FleetSettings } from '../fleet-settings.ts';
import { timestampNow } from '../flow/timestamp.ts';
import { isReference } from '../recording/retrieval-references.ts';
import type { Credentials } from '../rest/authenticate.ts';
import { readCheckedQuery } from '../rest/body.ts';
import type { CallTo } from '../rest/call.ts';
import { openingRefused } from '../rest/refusal.ts';
import { match } from '../rest/router.ts';
import type { Services } from '../rest/services.ts';
import { listSessions } from '../rest/sessions.ts';
import type { HttpHead } from '../socket/http.ts';
import type { AccountBlock } from './accounts.ts';
import type { FileBlock } from './files.ts';
import type { Foundation } from './foundation.ts';

export type EdgeBlock = Awaited<ReturnType<typeof openEdge>>;

const IN_USE = 409;
const MEET_MS = 300;
/** In the log and the metrics: the maker of an id that no host here is known to make. */
const UNKNOWN_HOST = 'unknown';

const assetHead = (kind: 'asset' | 'drop', asset: NonNullable<OpenHead['asset']>): Omit<OpenHead, 'grant'> => ({
  ...ownHead(kind),
  asset,
});

/** Opens the file when its first piece is asked for. */
async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file);
}

/** Runs the pieces of an answer in turns of the loop. */
async function inTurns<T>(pieces: Generator<void, T>): Promise<T> {
  for (;;) {
    const piece = pieces.next();
    if (piece.done) return piece.value;
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** Opens an edge's way to the hosts of its fleet. */
export async function openEdge(
  { store, replica, clock, logger, metrics, signals, publicUrl, own, onFault }: Foundation,
  records: HostRecords,
  { nats }: FleetSettings,
  { services: account, epochOf }: AccountBlock,
  { assets, assetsElsewhere }: FileBlock,
  credentials: Credentials,
  listing: Pick<Services, 'registry' | 'cursors'>,
) {
  const bus = await connectNats(nats, 'runcloud edge', onFault);
  own(() => bus.close());
  bus.onConnected((connected) => {
    if (connected) logger.info('NATS is back');
    else logger.error('NATS cannot be reached: sessions go on at their hosts');
  });
  const tellEpochs = () => {
    for (const { id: accountId, epoch } of store.accounts.epochs()) {
      channels.tell({ kind: 'accountEpoch', accountId, epoch });
    }
  };
  const sendAsset = async (host: KnownHost, wanted: WantedAsset) => {
    const sent = await assets.send(wanted.accountId, wanted.id);
    const head = assetHead('asset', sent?.asset ?? wanted);
    await calls.call(host, head, sent ? { pieces: piecesOf(sent.file) } : {});
  };
  const channels: EdgeChannels = new EdgeChannels({
    bus,
    signer: new GrantSigner(store.secrets.get(FLEET_KEY_PURPOSE)),
    clock,
    isRemoved: (host) => store.fleetHosts.get(host)?.removedAtMs !== undefined,
    publicUrl,
    onHost: ({ host, epoch }, what) => {
      if (what === 'here') logger.info({ host, epoch }, 'a host has come');
      else logger.warn({ host, epoch }, 'a host cannot be reached');
      if (what === 'away') return;
      // Before it is asked for anything: where clients reach the fleet, and what was revoked while it was away.
      channels.sayHere();
      tellEpochs();
    },
    onMark: (edge) => logger.info({ edge }, 'hosts know this edge by its mark'),
    // A host says again and again how far it has told.
    onPresence: (host) => {
      if (replica?.hasBegun ?? true) reports.heard(host);
    },
    onWant: (host, wanted) => {
      // A host that was not reached asks again.
      sendAsset(host, wanted).catch((error) =>
        logger.warn({ err: error, host: host.name }, 'an app was not sent to a host'),
      );
    },
    onFault,
  });
  own(() => channels.close());
  const log = new EdgeLog({ lines: logger, metrics: metrics.forwarding(), clock });
  const calls = new HostCalls(channels, clock, log);
  const reports = new HostReports({
    calls,
    table: store.hostSessions,
    commit: (task) => store.commit(() => store.atomically(task)),
    onFault,
  });
  records.placesHere = () => channels.hosts.map(({ presence }) => presence.place);
  assetsElsewhere.remove = async (accountId, id) => {
    const head = assetHead('drop', { accountId, id });
    const replies = await Promise.all(channels.hosts.map((host) => calls.call(host, head)));
    if (replies.some(({ status }) => status === IN_USE)) throw new ServiceError('asset_in_use');
  };
  signals.on('credentialRevoked', (holder) => channels.tell({ kind: 'credentialRevoked', holder }));
  signals.on('accountRevoked', tellEpochs);
  const isDraining = (host: string) => store.fleetHosts.get(host)?.draining === 1;
  const nameOfSilent = (place: string) =>
    store.fleetHosts.list().find(({ name }) => placeOf(name) === place)?.name ?? UNKNOWN_HOST;
  const forwarding = new Forwarding({
    channels,
    calls,
    nameOfSilent,
    isDraining,
    nameOf: (principal) => account.nameOf(principal),
    epochOf,
    browserOf: (head) => credentials.ofBrowser(head),
    records,
    listAbsent: async (query, owner) => {
      const { query: declared } = ROUTES.listSessions;
      return inTurns(
        listSessions({ owner, query: readCheckedQuery(query, declared) as CallTo<'listSessions'>['query'] }, listing),
      );
    },
    sessionOfToken: (head) => sessionNamedBy(credentials.sessionToken(head)),
    isSigned: (credential, secret) =>
      credential === 'reference' ? isReference(secret) : sessionNamedBy(secret) !== undefined,
  });
  const authenticate = (head: HttpHead): Principal | undefined => account.authenticate(head.header('authorization'));
  const relay = (own: ControlSockets) =>
    new RelaySockets({
      channels,
      clock,
      own,
      log,
      hostOf: (head) => {
        const found = match('GET', head.path);
        const { sessionId } = found.kind === 'route' ? found.params : {};
        const host = forwarding.hostOf(sessionId);
        return host === 'away' ? nameOfSilent(placeIn(sessionId ?? '')) : host;
      },
      callerOf: (head) => {
        const token = new URLSearchParams(head.query).get('token');
        if (token !== null) {
          // Anything else, such as a key by mistake, is refused here.
          if (sessionNamedBy(token) === undefined) return undefined;
          const browser = forwarding.granted(credentials.ofOwnPage(head));
          return browser ? { browser } : {};
        }
        const caller = forwarding.granted(authenticate(head));
        return caller && { caller };
      },
      refuse: (head, error, requestId) => openingRefused(head, error, clock, timestampNow(clock), requestId),
      onCount: (change) => (change === 1 ? metrics.socketOpened() : metrics.socketClosed()),
    });
  const hosts = (): HostRecord[] => {
    const heard = channels.known.map(
      ({ name, isAway, presence: { sessions, devices } }): HostRecord => ({
        name,
        state: isAway ? 'away' : 'here',
        isDraining: isDraining(name),
        sessions,
        devices: [...devices],
      }),
    );
    const silent = store.fleetHosts
      .list()
      .filter(({ name, removedAtMs }) => removedAtMs === undefined && !heard.some((host) => host.name === name))
      .map(({ name }): HostRecord => ({ name, state: 'away', isDraining: isDraining(name), sessions: 0, devices: [] }));
    return [...heard, ...silent].sort((one, other) => (one.name < other.name ? -1 : 1));
  };
  metrics.watchFleet(() => ({
    hosts: hosts(),
    channels: channels.known.map(({ name, presence }) => ({ host: name, ...presence.channels })),
    ...(replica && { isDatabaseReached: replica.isReached }),
  }));
  // Nobody is served before the hosts have answered that they are there: otherwise a request that comes at once is refused.
  await new Promise<void>((resolve) => void clock.schedule(MEET_MS, resolve));
  return { forwarding, relay, hosts, listens: () => channels.sayHere() };
}
