import type { Acknowledgement, InteractionRequest, Platform, Point, PointerPhase } from '@runcloud/protocol';
import { DeadlineWheel } from '../../server/flow/deadline-wheel.ts';
import type { RequestObserver } from '../../server/interaction/request.ts';
import { SessionInteractions } from '../../server/interaction/session-interactions.ts';
import { FakeClock, settled } from './fake-clock.ts';
import type { ScriptedDevice } from './scripted-device.ts';
import { openScriptedHost, type ScriptedHost } from './scripted-host.ts';

export const IDENTITY = { sessionId: 'ses_test', platform: 'ios' as Platform };

/** One caller, which keeps all it is told in order. */
export class Witness implements RequestObserver {
  readonly heard: string[] = [];
  readonly acknowledgements: Acknowledgement[] = [];

  accepted: NonNullable<RequestObserver['accepted']> = (_, queued) => {
    this.heard.push(`accepted behind ${queued}`);
  };

  dispatched: NonNullable<RequestObserver['dispatched']> = (_, inputSeq, steps) => {
    this.heard.push(steps === undefined ? `dispatched ${inputSeq}` : `dispatched ${inputSeq} step ${steps}`);
  };

  settled = (acknowledgement: Acknowledgement): void => {
    this.heard.push(acknowledgement.status);
    this.acknowledgements.push(acknowledgement);
  };

  /** The one terminal acknowledgement; throws when there is none or more than one. */
  get acknowledgement(): Acknowledgement {
    const [only] = this.acknowledgements;
    if (!only || this.acknowledgements.length > 1) throw new Error(`${this.acknowledgements.length} acknowledgements`);
    return only;
  }

  get status(): string | undefined {
    return this.acknowledgements[0]?.status;
  }
}

export interface Arena extends ScriptedHost {
  readonly clock: FakeClock;
  readonly interactions: SessionInteractions;
  readonly scripted: ScriptedDevice;
  /** Request ids in the order of their terminal acknowledgements. */
  readonly endings: string[];
  readonly unresponsive: string[];
  /** Our own faults. */
  readonly faults: unknown[];
  /** Submits a request and lets it reach the device. */
  submit(request: InteractionRequest): Promise<Witness>;
  pointer(requestId: string, phase: PointerPhase, points: readonly Point[], timeoutMs?: number): Promise<Witness>;
}

/** The interactions of one session with a scripted device behind a real link, under a clock that stands still. */
export async function openArena(
  onUnresponsive: (arena: Arena) => void = () => undefined,
  turn?: (task: () => void) => void,
): Promise<Arena> {
  const host = await openScriptedHost();
  const clock = new FakeClock();
  const endings: string[] = [];
  const unresponsive: string[] = [];
  const faults: unknown[] = [];
  const interactions = new SessionInteractions({
    identity: IDENTITY,
    device: host.device,
    clock,
    deadlines: new DeadlineWheel(clock),
    ...(turn ? { turn } : {}),
    onEnded: ({ requestId }) => void endings.push(requestId),
    onUnresponsive: (reason) => {
      unresponsive.push(reason);
      onUnresponsive(arena);
    },
    onFault: (error) => void faults.push(error),
  });
  const arena: Arena = {
    ...host,
    clock,
    interactions,
    endings,
    unresponsive,
    faults,
    async submit(request) {
      const witness = new Witness();
      interactions.submit(request, witness);
      await settled();
      return witness;
    },
    async pointer(requestId, phase, points, timeoutMs) {
      const witness = new Witness();
      const message = { type: 'pointer' as const, requestId, phase, points: points.map((point) => ({ ...point })) };
      interactions.pointer(timeoutMs === undefined ? message : { ...message, timeoutMs }, witness);
      await settled();
      return witness;
    },
  };
  return arena;
}

/** A tap, told apart by its id and, where given, its place. */
export const tap = (requestId: string, x = 0.5, timeoutMs = 15_000): InteractionRequest => ({
  action: 'tap',
  x,
  y: 0.5,
  requestId,
  timeoutMs,
});
