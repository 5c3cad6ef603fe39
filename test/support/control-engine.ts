import {
  ACTIONS,
  type AnyAction,
  type CloseReason,
  LIMITS,
  newId,
  platformCapabilities,
  type Role,
  ServiceError,
} from '@runcloud/protocol';
import type { RateLimiter } from '../../server/account/rate-limiters.ts';
import type { ConnectionKeeper } from '../../server/control/connection-keeper.ts';
import { ControlConnection } from '../../server/control/control-connection.ts';
import { type ConnectionFacts, readyMessage } from '../../server/control/ready.ts';
import { checkServerMessage } from '../../server/control/server-message-check.ts';
import { SocketHolders } from '../../server/control/socket-holder.ts';
import type { Clock } from '../../server/flow/clock.ts';
import { DeadlineWheel } from '../../server/flow/deadline-wheel.ts';
import { FairScheduler } from '../../server/flow/fair-scheduler.ts';
import { SessionInteractions } from '../../server/interaction/session-interactions.ts';
import { HostLink } from '../../server/link/host-link.ts';
import type { FromHost, Port, Question, ToHost } from '../../server/link/messages.ts';
import { RemoteDevice } from '../../server/link/remote-device.ts';
import { noScreenFigures } from '../../server/observe/screen-metrics.ts';
import { ScreenFanOut } from '../../server/screen/screen-fan-out.ts';
import { LiveSession } from '../../server/session/live-session.ts';
import type { SendOutcome, SocketSender } from '../../server/socket/connection.ts';
import { KEY, viewerLink } from './bearers.ts';
import { DESCRIPTOR } from './scripted-device.ts';

/** An outlet that remembers how often it was sent something, and how it was closed. */
export class ScriptedOutlet implements SocketSender {
  sent = 0;
  last: Uint8Array = new Uint8Array();
  closed: CloseReason | undefined;
  readonly bufferedBytes = 0;

  send(message: Uint8Array): SendOutcome {
    if (this.closed) return 'dropped';
    this.sent++;
    this.last = message.slice();
    return 'sent';
  }

  together(write: () => void): void {
    write();
  }

  close(reason: CloseReason): void {
    this.closed ??= reason;
  }
}

/** A host without a thread whose device does at once what it is asked. */
class WillingPort implements Port<ToHost, FromHost> {
  #receive: (batch: readonly FromHost[]) => void = () => undefined;

  send(batch: readonly ToHost[]): void {
    const answers: FromHost[] = [];
    for (const question of batch) {
      if (question.kind !== 'cancel') {
        answers.push({ kind: 'answer', call: question.call, value: answerOf(question) });
      }
    }
    if (answers.length > 0) queueMicrotask(() => this.#receive(answers));
  }

  onReceive(listener: (batch: readonly FromHost[]) => void): void {
    this.#receive = listener;
  }

  onClosed(): void {
    // It lives as long as its process.
  }

  async close(): Promise<void> {
    // Nothing is held.
  }
}

/** Results that say what was asked for, of those actions that have one. */
function resultOf({ action, ...asked }: Extract<Question, { kind: 'perform' }>['request']): unknown {
  const declared = (ACTIONS as Readonly<Record<string, AnyAction>>)[action]?.result;
  if (!declared) return undefined;
  const given: Readonly<Record<string, unknown>> = {
    pointCount: 1,
    deltaX: 0,
    deltaY: 0,
    dispatchedSteps: 1,
    characterCount: 'text' in asked ? asked.text.length : 0,
    apps: [],
    state: action === 'setPermission' ? 'granted' : 'stopped',
    readBack: true,
    ...asked,
    ...('target' in asked && { x: 0.5, y: 0.5, frame: 1 }),
  };
  const told = Object.keys(declared.properties).map((field) => [field, given[field]]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}

function answerOf(question: Question): unknown {
  switch (question.kind) {
    case 'open':
      return { descriptor: DESCRIPTOR, capabilities: platformCapabilities('android') };
    case 'perform':
      return resultOf(question.request);
    case 'openUrl':
      return { handler: 'app' };
    case 'screenshot':
      return { png: Uint8Array.of(1), width: 1, height: 1, inputSeq: 0 };
    default:
      return undefined;
  }
}

const absent = () => {
  throw new ServiceError('recording_not_found');
};
const SERVICES = {
  recordings: {
    start: async () => absent(),
    stop: async () => absent(),
    read: absent,
    list: () => ({ items: [], positions: [], more: false }),
  },
  cursors: { open: () => undefined },
  history: { read: async () => ({ bytes: new Uint8Array(), count: 0, last: 0, more: false }) },
} as unknown as ConnectionKeeper['services'];

const RECORD: Parameters<typeof readyMessage>[0] = {
  id: 'ses_1',
  sessionId: 'ses_1',
  platform: 'android',
  status: 'active',
  device: { id: 'dev_1', model: 'Scripted', osVersion: '1', width: 4, height: 6, scale: 1, driver: 'scripted' },
  leaseId: 'lse_1',
  orientation: 'portrait',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T02:00:00.000Z',
  inactivityTimeoutMs: 1,
  hardTimeoutMs: 1,
  installAssets: [],
  labels: {},
};

/** A `ready` that nobody looks at. */
const readyOf = (role: Role) => (connection: ConnectionFacts) => ({
  ...readyMessage(RECORD, role, { can: platformCapabilities('android'), scope: { openUrl: true }, wallMs: 0 }),
  connection,
});

export interface ControlEngine {
  readonly session: LiveSession;
  /** Errors that were reported as faults of the service. */
  readonly faults: unknown[];
  open(
    role?: 'control' | 'view',
    accountId?: string,
    messageAllowance?: RateLimiter,
  ): { readonly connection: ControlConnection; readonly outlet: ScriptedOutlet };
}

/** The control socket's engine on one session, without sockets, threads or a database. */
export async function controlEngine(clock: Clock): Promise<ControlEngine> {
  const device = await RemoteDevice.open(new HostLink(new WillingPort()), 1, { model: '' } as never);
  const id = newId('ses');
  const interactions = new SessionInteractions({
    identity: { sessionId: id, platform: 'android' },
    device,
    clock,
    deadlines: new DeadlineWheel(clock),
    onEnded: () => undefined,
    onUnresponsive: () => undefined,
  });
  const screens = new ScreenFanOut({ device, clock, figures: noScreenFigures });
  const facts = {
    id,
    accountId: 'acc',
    organizationId: 'org',
    platform: 'android',
    createdAtMs: 0,
    inactivityTimeoutMs: 600_000,
    hardTimeoutMs: Number.MAX_SAFE_INTEGER,
    embedOrigins: [],
  } as const;
  const lease = { leaseId: 'lse_1', deviceId: 'dev_1', descriptor: DESCRIPTOR, scope: { openUrl: true } };
  const session = new LiveSession(
    { facts, lease: lease as never, device, interactions, screens, orientation: 'portrait' },
    clock,
  );
  const holders = new SocketHolders(clock);
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const scheduler = new FairScheduler({
    nowMs: clock.monotonicMs.bind(clock),
    defer: (task) => void setImmediate(task),
    rest: (ms, task) => void setTimeout(task, ms),
    bytesMax: LIMITS.waitingBytesPerAccount,
    onFault,
  });
  const keeper: ConnectionKeeper = {
    services: SERVICES,
    clock,
    scheduler,
    check: checkServerMessage,
    onLeft: () => undefined,
    onClosed: () => undefined,
    onFault: (_connection, error) => void faults.push(error),
  };
  return {
    session,
    faults,
    open(role = 'control', accountId = 'acc', messageAllowance) {
      const outlet = new ScriptedOutlet();
      const isGuest = role === 'view';
      const party = isGuest ? `guests of ${accountId}` : accountId;
      const bearer = isGuest ? viewerLink('guest') : KEY;
      const holder = holders.of('key', 'key');
      const credential = { role, accountId, keyId: 'key', bearer, party, messageAllowance, holder };
      const memory = { take: () => true, give: () => undefined };
      const connection = new ControlConnection({ session, credential, memory }, keeper);
      connection.attach(outlet, readyOf(role));
      outlet.sent = 0;
      return { connection, outlet };
    },
  };
}
