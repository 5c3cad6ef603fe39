import type { InteractionRequest, Orientation } from '@runcloud/protocol';
import type { DeviceDescriptor, DeviceOptions, Inspection, Point, PointerPhase } from '../device/driver.ts';
import type { DeviceFaultKind } from '../device/fault.ts';

/**
 * What crosses the door between gateway and host. Plain data only, so that a broker can carry it one day.
 * `device` names an opened device, `call` one question; both are numbers that the gateway gives out.
 */

/** A question and what answers it. */
interface Calls {
  open: { ask: { readonly options: DeviceOptions }; answer: DeviceDescriptor };
  close: { ask: object; answer: undefined };
  perform: {
    ask: { readonly request: InteractionRequest; readonly inputSeq: number; readonly wantsSteps: boolean };
    answer: Readonly<Record<string, unknown>> | undefined;
  };
  pointer: {
    ask: { readonly phase: PointerPhase; readonly points: readonly Point[]; readonly inputSeq: number };
    answer: undefined;
  };
  releaseAll: { ask: object; answer: undefined };
  screenshot: { ask: object; answer: Screenshot };
  inspect: { ask: object; answer: Inspection };
}

export interface Screenshot {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly inputSeq: number;
}

export type CallKind = keyof Calls;
export type Ask<Kind extends CallKind> = Calls[Kind]['ask'];
export type Answer<Kind extends CallKind> = Calls[Kind]['answer'];

export type Question = {
  [Kind in CallKind]: { readonly kind: Kind; readonly call: number; readonly device: number } & Ask<Kind>;
}[CallKind];

export type ToHost =
  | Question
  /** Ends a running call; its answer still comes. */
  | { readonly kind: 'cancel'; readonly call: number };

export interface LinkFault {
  readonly kind: DeviceFaultKind;
  readonly message: string;
  readonly dispatchedSteps?: number;
}

export type FromHost =
  | { readonly kind: 'answer'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly call: number; readonly fault: LinkFault }
  | { readonly kind: 'steps'; readonly call: number; readonly steps: number }
  | { readonly kind: 'orientation'; readonly device: number; readonly orientation: Orientation }
  | { readonly kind: 'lost'; readonly device: number; readonly reason: string };

/** One end of a connection that keeps order. Messages go in batches: several small ones cost one hop. */
export interface Port<Out, In> {
  send(batch: readonly Out[], transfer: readonly ArrayBuffer[]): void;
  onReceive(listener: (batch: readonly In[]) => void): void;
  /** The other end is gone; nothing comes any more. */
  onClosed(listener: (reason: string) => void): void;
  close(): void;
}
