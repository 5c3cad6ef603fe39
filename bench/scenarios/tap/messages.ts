import { type Acknowledgement, type Acks, encodeClientMessage, encodeServerMessage } from '@runcloud/protocol';
import { ID_DIGITS, type RequestTemplate } from '../../load/job.ts';

const DIGITS = '0'.repeat(ID_DIGITS);

/** Binary fractions, so that every encoder writes the same bytes. */
export const TAP = { action: 'tap', x: 0.4375, y: 0.53125 } as const;

function template(bytes: Uint8Array, requestId: string): RequestTemplate {
  const digitsAt = Buffer.from(bytes).indexOf(requestId) + requestId.length - ID_DIGITS;
  return { bytes, digitsAt };
}

/** The control socket's message of one tap; ids begin with `idPrefix`. */
export function tapMessage(idPrefix: string, acks: Acks): RequestTemplate {
  const requestId = idPrefix + DIGITS;
  return template(encodeClientMessage({ type: 'interaction', requestId, ...TAP, acks }), requestId);
}

/** The two messages of a live touch at the same place, which is answered when both have been taken. */
export function touchMessages(idPrefix: string): RequestTemplate {
  const requestId = idPrefix + DIGITS;
  const step = (phase: 'begin' | 'end') => {
    const points = [{ x: TAP.x, y: TAP.y }];
    return template(encodeClientMessage({ type: 'pointer', requestId, phase, points, acks: 'final' }), requestId);
  };
  return { ...step('begin'), second: step('end') };
}

/** The complete HTTP/1.1 request of one tap. */
export function tapRequest(idPrefix: string, to: { host: string; path: string; key: string }): RequestTemplate {
  const requestId = idPrefix + DIGITS;
  const body = JSON.stringify({ requestId, ...TAP });
  const head = [
    `POST ${to.path} HTTP/1.1`,
    `Host: ${to.host}`,
    `Authorization: Bearer ${to.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  return template(Buffer.from(`${head}\r\n\r\n${body}`), requestId);
}

/** The answers of the controls, which are the service's own answers to one tap. */
export interface TapAnswers {
  readonly message: Uint8Array;
  readonly json: Uint8Array;
}

/** Answers of typical shape and length, for controls that are measured without the service. */
export function usualAnswers(idPrefix: string): TapAnswers {
  const acknowledgement: Acknowledgement = {
    ok: true,
    requestId: idPrefix + DIGITS,
    sessionId: 'ses_0123456789ABCDEFGHIJKL',
    platform: 'ios',
    action: 'tap',
    status: 'completed',
    acceptedAt: '2025-01-01T00:00:00.000Z',
    completedAt: '2025-01-01T00:00:00.000Z',
    durationMs: 0,
    result: { pointCount: 1 },
  };
  return {
    message: encodeServerMessage({ type: 'result', ...acknowledgement }),
    json: Buffer.from(JSON.stringify(acknowledgement)),
  };
}
