import type { ClientMessage, ServerMessage } from '@runcloud/protocol';
import type { Ids } from './tenants.ts';

/** What one message says besides its type and its own request id. */
export interface TenantMessage {
  readonly fields?: (ids: Ids) => Readonly<Record<string, unknown>>;
  /** It names things of a session: those of another are as unknown as those that never were, and refused so. */
  readonly unknown?: string;
  /** What follows it, before it is answered. */
  readonly also?: Readonly<Record<string, unknown>>;
  /** How it is told that it was done, where there is no `result`. */
  readonly done?: ServerMessage['type'];
}

const POINTS = [{ x: 0.5, y: 0.5 }];

/** Every message that a client may send. A type without a row does not compile. */
export const TENANT_MESSAGES: Readonly<Record<ClientMessage['type'], TenantMessage>> = {
  interaction: { fields: () => ({ action: 'tap', ...POINTS[0] }) },
  pointer: { fields: () => ({ phase: 'begin', points: POINTS }), also: { phase: 'end' } },
  cancel: {},
  screenshot: {},
  ui: {},
  'ui.check': { fields: () => ({ target: { role: 'button' } }) },
  'ui.wait': { fields: () => ({ target: { text: 'nowhere' }, not: true }) },
  'open-url': { fields: () => ({ url: 'https://asked.example' }) },
  'clipboard.get': {},
  'clipboard.set': { fields: () => ({ text: 'asked' }) },
  'control.request': {},
  'control.take': {},
  'control.grant': {
    fields: ({ participantId }) => ({ participant: participantId }),
    unknown: 'control_request_not_found',
  },
  'control.deny': {
    fields: ({ participantId }) => ({ participant: participantId }),
    unknown: 'control_request_not_found',
  },
  'control.release': {},
  'history.list': {},
  'recording.start': {},
  'recording.get': { fields: ({ recordingId }) => ({ recordingId }), unknown: 'recording_not_found' },
  'recording.stop': { fields: ({ recordingId }) => ({ recordingId }), unknown: 'recording_not_found' },
  'recording.list': {},
  'screen.start': { fields: () => ({ encodings: ['jpeg'] }), done: 'screen.started' },
  'screen.ack': { fields: () => ({ streamId: 1, seq: 1 }) },
  'screen.keyframe': { fields: () => ({ streamId: 1 }) },
  'screen.stop': { fields: () => ({ streamId: 1 }), done: 'screen.stopped' },
  ping: { fields: () => ({ id: 1 }), done: 'pong' },
};
