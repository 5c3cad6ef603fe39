import { createHash } from 'node:crypto';
import type { SessionRequest } from '@runcloud/protocol';

/** Equal for equal requests, whatever order their fields came in: tells a repeated creation from another one. */
export function requestDigest(request: SessionRequest): string {
  return createHash('sha256').update(JSON.stringify(request, inOneOrder)).digest('base64');
}

function inOneOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
