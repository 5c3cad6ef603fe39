import type { Static } from '@sinclair/typebox';
import { error } from './error.ts';
import { event } from './event.ts';
import { pong } from './ping.ts';
import { ready } from './ready.ts';
import { accepted, dispatched, observed, result } from './stages.ts';
import { screenStarted, screenStopped } from './streams.ts';

/** Every message that the server may send, by its type. */
export const SERVER_MESSAGES = {
  ready,
  accepted,
  dispatched,
  result,
  observed,
  'screen.started': screenStarted,
  'screen.stopped': screenStopped,
  event,
  error,
  pong,
} as const;

export type ServerMessage = {
  [Type in keyof typeof SERVER_MESSAGES]: Static<(typeof SERVER_MESSAGES)[Type]>;
}[keyof typeof SERVER_MESSAGES];
