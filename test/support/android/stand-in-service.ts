import type { SessionRecord } from '@runcloud/protocol';
import { startServer, type TestServer } from '../server.ts';
import { endedInTime, sessionInTime } from '../sessions-in-time.ts';
import { type StandInEmulator, type StandInHost, type StandInOptions, standInHost } from './stand-in-emulator.ts';

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
    session: (body) => sessionInTime(server, 'android', body),
    ended: (session) => endedInTime(server, session),
  };
}
