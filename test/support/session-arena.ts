import {
  type CloseReason,
  checkCreateSession,
  type Event,
  newId,
  type Role,
  ServiceError,
  type SessionRequest,
} from '@runcloud/protocol';
import { RateLimiters } from '../../server/account/rate-limiters.ts';
import type { DeviceTarget } from '../../server/device/target.ts';
import { DeadlineWheel } from '../../server/flow/deadline-wheel.ts';
import { WriteRetryQueue } from '../../server/flow/write-retry-queue.ts';
import { SessionInteractions } from '../../server/interaction/session-interactions.ts';
import { HostPool } from '../../server/link/host-pool.ts';
import { noScreenFigures } from '../../server/observe/screen-metrics.ts';
import { ScreenFanOut } from '../../server/screen/screen-fan-out.ts';
import type { ClaimApps } from '../../server/session/app-claim.ts';
import { Leases } from '../../server/session/leases.ts';
import { LiveSession, type SessionSocket } from '../../server/session/live-session.ts';
import type { Owner } from '../../server/session/session-record.ts';
import { SessionRegistry } from '../../server/session/session-registry.ts';
import type { Store } from '../../server/store/store.ts';
import { account, openStore } from '../store/open-store.ts';
import { KEY } from './bearers.ts';
import { FakeClock, settled } from './fake-clock.ts';
import type { PortPair } from './port-pair.ts';
import { DESCRIPTOR, last, ScriptedDevice } from './scripted-device.ts';
import { hostedPair } from './scripted-host.ts';

export const ACME: Owner = { accountId: 'acc_acme', organizationId: 'org_acme' };
export const OTHER: Owner = { accountId: 'acc_other', organizationId: 'org_other' };

/** A socket that keeps what it is told; `story` is shared by what happens around it. */
export class FakeSocket implements SessionSocket {
  readonly id = newId('con');
  readonly role: Role;
  readonly bearer = KEY;
  readonly #story: string[];
  constructor(role: Role, story: string[]) {
    this.role = role;
    this.#story = story;
  }

  tell(event: Event): void {
    const detail = 'reason' in event ? ` ${event.reason}` : 'inMs' in event ? ` ${event.inMs}` : '';
    this.#story.push(`${event.event}${detail}`);
  }

  end({ code }: CloseReason): void {
    this.#story.push(`closed ${code}`);
  }
}

export interface SessionArena {
  readonly registry: SessionRegistry;
  readonly clock: FakeClock;
  readonly store: Store;
  readonly hosts: PortPair[];
  /** The devices in the order in which they were opened. */
  readonly devices: ScriptedDevice[];
  /** Ids of the sessions that ended, in their order. */
  readonly ended: string[];
  /** Errors that no caller could be told. */
  readonly faults: unknown[];
  /** Makes the next devices; replaced by tests whose devices do not start. */
  starting: () => Promise<ScriptedDevice>;
  /** How many sessions each account may create; replaced by tests of that. */
  creations: Pick<RateLimiters, 'of'>;
  /** The end of a session waits for this; tests can replace it. */
  ending: (session: LiveSession) => Promise<void>;
  create(body?: object, key?: string, owner?: Owner): ReturnType<SessionRegistry['create']>;
  live(id: string): LiveSession;
  readonly lastDevice: ScriptedDevice;
}

/** A checked creation request. */
export function sessionRequest(body: object = {}): SessionRequest {
  const checked = checkCreateSession({ platform: 'ios', ...body });
  if (!checked.ok) throw new Error(checked.fault.message);
  return checked.value;
}

/** Nothing was uploaded. */
const noApps: ClaimApps = (_owner, _platform, [first]) => {
  if (first !== undefined) throw new ServiceError('asset_not_found', '"installAssets[0]" names no asset.');
  return { apps: () => [], release: () => undefined };
};

/**
 * Sessions on two iOS devices and one Android device, all scripted, with the real store and a clock that stands still.
 * @param target makes the Android device one that has to be made ready, on a host whose clock stands still as well
 */
export function openSessions(
  t: Parameters<typeof openStore>[0],
  claimApps: ClaimApps = noApps,
  target?: DeviceTarget,
): SessionArena {
  const store = openStore(t);
  for (const name of ['acme', 'other']) store.accounts.insert(account(name));
  const clock = new FakeClock();
  const deadlines = new DeadlineWheel(clock);
  const devices: ScriptedDevice[] = [];
  const hosts: PortPair[] = [];
  const ended: string[] = [];
  const faults: unknown[] = [];
  const pool = new HostPool(1, () => {
    const open = async () => {
      const device = await arena.starting();
      devices.push(device);
      return device;
    };
    const pair = hostedPair(open, target && clock);
    hosts.push(pair);
    return pair.gateway;
  });
  const registry: SessionRegistry = new SessionRegistry({
    store: store.sessions,
    writes: new WriteRetryQueue({ clock, random: Math.random, onFault: (error) => void faults.push(error) }),
    leases: new Leases(
      [
        { platform: 'ios', count: 2, descriptor: DESCRIPTOR, scope: { openUrl: true } },
        {
          platform: 'android',
          count: 1,
          descriptor: { ...DESCRIPTOR, model: 'Scripted Tablet', osVersion: '2.0' },
          scope: { openUrl: false },
          ...(target ? { target } : {}),
        },
      ],
      pool,
      { clock, random: () => 1 },
    ),
    clock,
    claimApps,
    snapshotOf: () => undefined,
    claimOneApp: (owner, platform, assetId) => claimApps({ ...ACME, ...owner }, platform, [assetId]),
    creations: { of: (holder) => arena.creations.of(holder) },
    createLive: (row, lease, device) => {
      const interactions = new SessionInteractions({
        identity: { sessionId: row.id, platform: row.platform },
        device,
        clock,
        deadlines,
        onEnded: () => undefined,
        onUnresponsive: () => registry.fail(row.id, 'device_unresponsive'),
        claimApp: (assetId) => registry.claimApp(row.id, assetId),
      });
      const screens = new ScreenFanOut({ device, clock, figures: noScreenFigures });
      return new LiveSession({ facts: row, lease, device, interactions, screens, orientation: row.orientation }, clock);
    },
    onEnding: (session) => arena.ending(session),
    onEnded: ({ facts }) => void ended.push(facts.id),
    onFault: (error) => void faults.push(error),
    viewerUrl: ({ id }) => `http://test/view/${id}`,
  });
  const arena: SessionArena = {
    registry,
    clock,
    store,
    hosts,
    devices,
    ended,
    faults,
    creations: new RateLimiters(1_000_000, clock),
    starting: async () => new ScriptedDevice(),
    ending: async () => undefined,
    create: (body, key, owner = ACME) => registry.create(owner, sessionRequest(body), key),
    live: (id) => registry.active(ACME, registry.read(ACME, id).platform, id),
    get lastDevice() {
      return last(devices);
    },
  };
  return arena;
}

/** How a promise stands: what it came to, or that it has not. */
export async function standing(promise: Promise<unknown>): Promise<'pending' | 'resolved' | 'rejected'> {
  let state: 'pending' | 'resolved' | 'rejected' = 'pending';
  promise.then(
    () => {
      state = 'resolved';
    },
    () => {
      state = 'rejected';
    },
  );
  await settled();
  return state;
}
