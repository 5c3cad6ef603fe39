import { LIMITS } from '@runcloud/protocol/terms';
import type { SequentialModel } from './linearizable.ts';

/** Control of a session as if it had one caller: simpler than the service, which has timers, sockets and events. */

/** The participants of a history, by short names. */
export interface Part {
  readonly name: string;
  readonly isOwner: boolean;
  /** Has an open socket from the beginning to the end. */
  readonly isConnected: boolean;
}

export type ControlInput =
  | { readonly step: 'request' | 'take' | 'release' | 'input' | 'read'; readonly by: string }
  | { readonly step: 'grant' | 'deny'; readonly by: string; readonly to: string }
  /** The clock goes on. */
  | { readonly step: 'wait'; readonly ms: number };

/** The code of a refusal; else who has control and who waits, where the answer tells that. */
export type ControlOutput = string | { readonly holder: string | null; readonly waiting: readonly string[] } | null;

interface State {
  readonly nowMs: number;
  readonly holder: { readonly name: string; readonly untilMs: number } | null;
  readonly waiting: readonly { readonly name: string; readonly untilMs: number | null }[];
}

const { controlLeaseMs, controlRequestMs } = LIMITS;

export function controlModel(parts: readonly Part[]): SequentialModel<State, ControlInput, ControlOutput> {
  const part = (name: string) => parts.find((one) => one.name === name);

  /** Ends what is over, and passes control on. */
  const settle = (state: State): State => {
    const waiting = state.waiting.filter(({ untilMs }) => untilMs === null || untilMs > state.nowMs);
    const isOver = state.holder !== null && state.holder.untilMs <= state.nowMs;
    return isOver ? passOn({ ...state, waiting }) : { ...state, waiting };
  };
  const passOn = (state: State): State => {
    const [first] = state.waiting;
    return first ? pass(state, first.name) : { ...state, holder: null };
  };
  const pass = (state: State, name: string): State => ({
    ...state,
    holder: { name, untilMs: state.nowMs + controlLeaseMs },
    waiting: state.waiting.filter((one) => one.name !== name),
  });
  const request = (state: State, name: string): State => {
    if (!state.holder || state.holder.name === name) return pass(state, name);
    const place = { name, untilMs: part(name)?.isConnected ? null : state.nowMs + controlRequestMs };
    const isKnown = state.waiting.some((one) => one.name === name);
    const waiting = isKnown ? state.waiting.map((one) => (one.name === name ? place : one)) : [...state.waiting, place];
    return { ...state, waiting };
  };

  /** The next state, or the code of a refusal. */
  const act = (state: State, input: ControlInput): State | string => {
    if (input.step === 'wait') return settle({ ...state, nowMs: state.nowMs + input.ms });
    const { step, by } = input;
    switch (step) {
      case 'read':
        return state;
      case 'request':
        return request(state, by);
      case 'take':
        return part(by)?.isOwner ? pass(state, by) : 'owner_required';
      case 'release':
        if (state.holder?.name === by) return passOn(state);
        return { ...state, waiting: state.waiting.filter(({ name }) => name !== by) };
      case 'input':
        if (!state.holder) return state;
        return state.holder.name === by ? pass(state, by) : 'not_in_control';
      default: {
        if (!part(by)?.isOwner && state.holder?.name !== by) return 'not_in_control';
        if (!state.waiting.some(({ name }) => name === input.to)) return 'control_request_not_found';
        if (step === 'grant') return pass(state, input.to);
        return { ...state, waiting: state.waiting.filter(({ name }) => name !== input.to) };
      }
    }
  };

  return {
    initial: { nowMs: 0, holder: null, waiting: [] },
    step(before, input, output) {
      const after = act(settle(before), input);
      if (typeof after === 'string') return after === output ? settle(before) : undefined;
      const told = { holder: after.holder?.name ?? null, waiting: after.waiting.map(({ name }) => name) };
      const expected = input.step === 'wait' || input.step === 'input' ? null : told;
      return JSON.stringify(expected) === JSON.stringify(output) ? after : undefined;
    },
  };
}
