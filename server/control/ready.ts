import type { DeviceCapabilities, Role, ServerMessage, SessionRecord } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Participant } from '../interaction/participant.ts';
import { offeredEncodings } from '../screen/profile.ts';
import type { LeaseScope } from '../session/lease.ts';
import { messageBytesMax } from './message-bytes-max.ts';

/** What a client needs to resume its connection. */
export type ConnectionFacts = NonNullable<Ready['connection']>;
export type Ready = Extract<ServerMessage, { type: 'ready' }>;

/** Builds `ready`, the first message: the capabilities of this session, its device and this server. */
export function readyMessage(
  session: Omit<SessionRecord, 'url'>,
  role: Role,
  {
    participant: who,
    can,
    scope,
    wallMs,
  }: {
    readonly participant?: Participant | undefined;
    readonly can: DeviceCapabilities;
    readonly scope: LeaseScope;
    readonly wallMs: number;
  },
): Ready {
  return {
    type: 'ready',
    protocol: 1,
    role,
    session,
    ...(who ? { participant: { id: who.id, owner: who.isOwner } } : {}),
    limits: {
      interactionTimeoutMs: LIMITS.interactionTimeoutMs,
      clientMessageBytes: messageBytesMax(role),
      queuedInteractions: LIMITS.queuedInteractions,
      recordingsListed: LIMITS.recordingsListed,
    },
    capabilities: readyCapabilities(can, scope, session.device),
    serverTimeUs: Math.round(wallMs * 1_000),
  };
}

function readyCapabilities(
  can: DeviceCapabilities,
  { openUrl }: LeaseScope,
  device: Ready['session']['device'],
): Ready['capabilities'] {
  return {
    actions: [...can.actions],
    orientations: [...can.orientations],
    buttons: [...can.buttons],
    renderOptions: [...can.renderOptions],
    lockKeys: can.lockKeys,
    modifiers: can.modifiers,
    holds: can.holds,
    fingers: can.fingers,
    freeGestures: can.freeGestures,
    screenEncodings: [...offeredEncodings(device)],
    openUrl: openUrl && can.openUrl,
    clipboard: can.clipboard,
    ...(can.ui ? { ui: true } : {}),
    ...(can.media ? { media: true } : {}),
    ...(can.files ? { files: true } : {}),
    ...(can.snapshots ? { snapshots: true } : {}),
    ...(can.logs ? { logs: true } : {}),
    recording: true,
  };
}
