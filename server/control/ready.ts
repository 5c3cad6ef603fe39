import {
  ACTION_NAMES,
  CAPABILITIES,
  LIMITS,
  type Platform,
  type Role,
  type ServerMessage,
  type SessionRecord,
} from '@runcloud/protocol';
import { OFFERED_ENCODINGS } from '../screen/profile.ts';
import type { LeaseScope } from '../session/leases.ts';

type Ready = Extract<ServerMessage, { type: 'ready' }>;

/** The first message: what this session, this platform and this server can do. */
export function readyMessage(record: SessionRecord, role: Role, scope: LeaseScope, wallMs: number): Ready {
  const { url: _url, ...session } = record;
  return {
    type: 'ready',
    protocol: 1,
    role,
    session,
    limits: {
      interactionTimeoutMs: LIMITS.interactionTimeoutMs,
      clientMessageBytes: LIMITS.clientMessageBytes,
      queuedInteractions: LIMITS.queuedInteractions,
    },
    capabilities: capabilitiesOf(record.platform, scope),
    serverTimeUs: Math.round(wallMs * 1_000),
  };
}

function capabilitiesOf(platform: Platform, { openUrl }: LeaseScope): Ready['capabilities'] {
  const { orientations, buttons, renderOptions, digitalCrown } = CAPABILITIES[platform];
  const missing = new Set<string>();
  if (!digitalCrown) missing.add('rotateDigitalCrown');
  if (renderOptions.length === 0) missing.add('setRenderDebug');
  return {
    actions: ACTION_NAMES.filter((action) => !missing.has(action)),
    orientations: [...orientations],
    buttons: [...buttons],
    renderOptions: [...renderOptions],
    screenEncodings: [...OFFERED_ENCODINGS],
    openUrl,
    recording: true,
  };
}
