import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform, SessionRecord } from '@runcloud/protocol';
import type { TestServer } from './server.ts';

/**
 * Devices become ready and heal within a few seconds. On a busy machine an adb server may take ten seconds to start and as
 * long to have its device, and a first look that failed is repeated after that.
 */
const TRIES_MAX = 450;
const PAUSE_MS = 100;

/** Creates a session as soon as a device is offered. */
export async function sessionInTime(
  { rest }: Pick<TestServer, 'rest'>,
  platform: Platform,
  body?: Record<string, unknown>,
): Promise<SessionRecord> {
  for (let tries = 0; ; tries++) {
    try {
      return await rest.createSession(platform, body);
    } catch (error) {
      if (tries === TRIES_MAX || !String(error).includes('simulator_capacity_unavailable')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** The record of a session once it is no longer active. */
export async function endedInTime({ rest }: TestServer, { id }: SessionRecord): Promise<SessionRecord> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const { body } = await rest.call<SessionRecord>('GET', `/service/sessions/${id}`);
    if (body.status !== 'active' && body.status !== 'releasing') return body;
    await sleep(PAUSE_MS);
  }
  throw new Error('the session does not end');
}
