import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import { startServer, type TestServer } from '../server.ts';
import { type StandInEmulator, type StandInHost, type StandInOptions, standInHost } from './stand-in-emulator.ts';

/** Devices become ready and heal within a few seconds. */
const TRIES_MAX = 300;
const PAUSE_MS = 100;

export interface StandInService {
  readonly host: StandInHost;
  readonly server: TestServer;
  readonly emulator: StandInEmulator;
  /** Creates a session as soon as a device is offered. */
  session(options?: Record<string, unknown>): Promise<SessionRecord>;
  /** The record once it is no longer active. */
  ended(session: SessionRecord): Promise<SessionRecord>;
}

/** The service on a host whose one Android device is a stand-in. */
export async function standInService(
  t: { teardown(work: () => Promise<void>): unknown },
  options?: StandInOptions,
): Promise<StandInService> {
  const host = await standInHost(1, options);
  const server = await startServer(host.environment);
  t.teardown(async () => {
    await server.close();
    host.stop();
  });
  const [emulator] = host.emulators;
  if (!emulator) throw new Error('no emulator');
  return {
    host,
    server,
    emulator,
    async session(body) {
      for (let tries = 0; ; tries++) {
        try {
          return await server.rest.createSession('android', body);
        } catch (error) {
          if (tries === TRIES_MAX || !String(error).includes('simulator_capacity_unavailable')) throw error;
          await sleep(PAUSE_MS);
        }
      }
    },
    async ended({ id }) {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const { body } = await server.rest.call<SessionRecord>('GET', `/service/sessions/${id}`);
        if (body.status !== 'active' && body.status !== 'releasing') return body;
        await sleep(PAUSE_MS);
      }
      throw new Error('the session does not end');
    },
  };
}
