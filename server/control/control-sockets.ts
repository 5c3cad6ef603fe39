import { CLOSE } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { FairScheduler } from '../flow/fair-scheduler.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { SocketApplication, WantedSocket } from '../socket/connection.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import type { RecordingHandlers } from './answer-recording.ts';
import { ControlConnection } from './control-connection.ts';
import type { MessageWriterOptions } from './message-writer.ts';
import { readyMessage } from './ready.ts';
import type { Credential, UpgradeGate } from './upgrade.ts';
import { ViewerCounts } from './viewer-counts.ts';

export interface ControlSocketsOptions {
  readonly gate: UpgradeGate;
  readonly registry: SessionRegistry;
  readonly recorded: RecordingHandlers;
  readonly clock: Clock;
  readonly scheduler: FairScheduler;
  readonly check: MessageWriterOptions['check'];
  readonly onCount: (change: 1 | -1) => void;
  readonly onFault: OnFault;
}

const BUFFERED_KEPT_MS = 1_000;

/** Every open control socket of this process. */
export class ControlSockets implements SocketApplication {
  readonly #options: ControlSocketsOptions;
  readonly #open = new Set<ControlConnection>();
  readonly #viewers: ViewerCounts;
  #buffered = { total: 0, largest: 0, atMs: Number.NEGATIVE_INFINITY };

  constructor(options: ControlSocketsOptions) {
    this.#options = options;
    this.#viewers = new ViewerCounts(options.clock);
  }

  upgrade(head: HttpHead): HttpReply | WantedSocket {
    const { gate, registry, recorded, clock, scheduler, check, onCount, onFault } = this.#options;
    const admission = gate.admit(head);
    if (!admission.admitted) return admission.reply;
    const { session, credential } = admission;
    return {
      brief: credential.role === 'view',
      open: (outlet) => {
        const onClosed = (connection: ControlConnection) => {
          if (this.#open.delete(connection)) onCount(-1);
          this.#viewers.changed(session);
        };
        // Everything that can throw comes first: a refused socket must not stay in any list.
        const ready = readyMessage(registry.describe(session), credential.role, {
          can: session.device.capabilities,
          scope: session.lease.scope,
          wallMs: clock.wallMs(),
        });
        const { id: sessionId } = session.facts;
        const onFaultHere: OnFault = (error, about) => onFault(error, { sessionId, ...about });
        const connection = new ControlConnection(
          { session, credential, recorded, clock, scheduler, check, onClosed, onFault: onFaultHere },
          outlet,
        );
        this.#open.add(connection);
        onCount(1);
        session.connect(connection);
        this.#viewers.changed(session);
        connection.send(ready);
        return connection;
      },
    };
  }

  /** Buffered bytes of all sockets; cached for a second, since it sums over all sockets. */
  get buffered(): { readonly total: number; readonly largest: number } {
    const atMs = this.#options.clock.monotonicMs();
    if (atMs - this.#buffered.atMs < BUFFERED_KEPT_MS) return this.#buffered;
    let total = 0;
    let largest = 0;
    for (const { bufferedBytes } of this.#open) {
      total += bufferedBytes;
      largest = Math.max(largest, bufferedBytes);
    }
    this.#buffered = { total, largest, atMs };
    return this.#buffered;
  }

  /** Closes every socket that was opened with this key. */
  revoke(keyId: string): void {
    this.#closeRevoked((credential) => credential.keyId === keyId);
  }

  /** Closes every socket that was opened with this viewer link's token. */
  revokeLink(linkId: string): void {
    this.#closeRevoked((credential) => credential.linkId === linkId);
  }

  /** Closes every socket that was opened with a viewer token. */
  revokeTokens(): void {
    this.#closeRevoked((credential) => credential.keyId === undefined);
  }

  /** Closes every socket of the account opened with a viewer or access token; sockets of keys close with their keys. */
  revokeAccount(accountId: string): void {
    const isKey = ({ keyId }: Credential) => keyId?.startsWith('key_');
    this.#closeRevoked((credential) => credential.accountId === accountId && !isKey(credential));
  }

  #closeRevoked(isRevoked: (credential: Credential) => boolean): void {
    for (const connection of [...this.#open]) if (isRevoked(connection.credential)) connection.end(CLOSE.revoked);
  }
}
