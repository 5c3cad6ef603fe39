import type { ClipboardResult, Fields, FrameEvent, FrameReady, InteractionResult } from './messages.ts';

/** Reads messages of the frame and checks the fields that this page uses: the frame may have another version. */

const OUTCOMES: readonly unknown[] = ['completed', 'failed', 'cancelled', 'timed_out'];

export function readResult(data: Fields): InteractionResult | ClipboardResult | undefined {
  if (data.type !== 'service:interaction-result' || typeof data.requestId !== 'string') return undefined;
  if (!OUTCOMES.includes(data.status)) return undefined;
  const { type: _type, acceptedAt: _acceptedAt, completedAt: _completedAt, durationMs: _durationMs, ...result } = data;
  return result as unknown as InteractionResult | ClipboardResult;
}

export function readReady(data: Fields): FrameReady | undefined {
  const known = data.type === 'service:ready' && data.version === 1 && typeof data.frameId === 'string';
  return known ? (data as unknown as FrameReady) : undefined;
}

/** Why the frame is not connected. */
export const readWaiting = ({ type, why }: Fields): string | undefined =>
  type === 'service:waiting' && typeof why === 'string' ? why : undefined;

export function readEvent({ type, ...event }: Fields): FrameEvent | undefined {
  return type === 'service:event' && typeof event.event === 'string' ? (event as unknown as FrameEvent) : undefined;
}
