import { RunCloudError } from '../../client/sdk/error.ts';
import type { SessionHandle } from '../../client/sdk/session.ts';

/** Absent of a device that does not tell what is on its screen. */
export async function outlineOf(session: SessionHandle, signal: AbortSignal): Promise<string | undefined> {
  return session.outline({ signal }).catch(unlessUnsupported);
}

/** The same once the screen stands still, or has moved for two seconds. */
export async function stillOutline(session: SessionHandle, signal: AbortSignal): Promise<string | undefined> {
  await session.waitFor({ idle: true }, { signal }).catch(unlessUnsupported);
  return outlineOf(session, signal);
}

function unlessUnsupported(error: unknown): undefined {
  if (error instanceof RunCloudError && error.code === 'unsupported_action') return undefined;
  throw error;
}

/** The number in its first line. */
export const frameOf = (outline: string): number => Number(/^frame (\d+)/.exec(outline)?.[1] ?? Number.NaN);
