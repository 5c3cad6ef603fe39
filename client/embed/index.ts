/** For pages that embed the viewer; the server offers it as `/viewer/embed.js`. React's component is in `react.tsx`. */
export { type ClipboardOptions, type GestureStep, type InteractOptions, SimulatorActions } from './actions.ts';
export { type FrameFailureCode, SimulatorFrameError } from './failure.ts';
export type { ViewerLook } from './look.ts';
export type {
  ClipboardAction,
  ClipboardResult,
  CompletedInteraction,
  FailedInteraction,
  FrameCapabilities,
  FrameEvent,
  FrameInspected,
  FrameReady,
  InteractionError,
  InteractionRequest,
  InteractionResult,
  Outcome,
  Timing,
} from './messages.ts';
export {
  createSimulatorFrame,
  SimulatorFrame,
  type SimulatorFrameEvents,
  type SimulatorFrameOptions,
} from './simulator-frame.ts';
