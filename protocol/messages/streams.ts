import { Type } from '@sinclair/typebox';
import { oneOf } from '../compile-check.ts';
import { DisplayName } from '../display.ts';
import { ORIENTATIONS } from '../platforms.ts';
import { serverMessage } from './define-message.ts';
import { Encoding, StreamId } from './screen.ts';

const STREAM = {
  streamId: StreamId,
  encoding: Encoding,
  codec: Type.Optional(Type.String({ description: 'RFC 6381, for h264' })),
  width: Type.Integer(),
  height: Type.Integer(),
  orientation: oneOf(ORIENTATIONS),
  /** The display that the packets from now on show; only of devices with more than one. */
  display: Type.Optional(DisplayName),
};

export const screenStarted = serverMessage('screen.started', STREAM);

export const screenStopped = serverMessage('screen.stopped', { streamId: StreamId, reason: Type.String() });
