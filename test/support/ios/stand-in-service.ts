import type { SessionRecord } from '@runcloud/protocol';
import { startServer, type TestServer } from '../server.ts';
import { endedInTime, sessionInTime } from '../sessions-in-time.ts';
import type { Guest } from './guest.ts';
import { TYPE_NAMES } from './simulator-shelf.ts';
import { StandInMac, type StandInOptions } from './stand-in-mac.ts';

export interface StandInService {
  readonly mac: StandInMac;
  readonly server: TestServer;
  /** Creates a session as soon as a simulator is offered. */
  session(options?: Record<string, unknown>): Promise<SessionRecord>;
  guestOf(session: SessionRecord): Guest;
  /** The record once it is no longer active. */
  ended(session: SessionRecord): Promise<SessionRecord>;
}

/** The service on a stand-in of a Mac, with one simulator of each of `lanes` device types. */
export async function standInService(
  t: { teardown(work: () => Promise<void>): unknown },
  { lanes = 1, ...options }: StandInOptions & { readonly lanes?: number } = {},
): Promise<StandInService> {
  const mac = await StandInMac.start(options);
  const devices = TYPE_NAMES.slice(0, lanes).map((name) => `ios-simulator:${name}`);
  const server = await startServer({ ...mac.tools, RUNCLOUD_DEVICES: devices.join(',') });
  t.teardown(async () => {
    await server.close();
    await mac.close();
  });
  return {
    mac,
    server,
    guestOf: ({ device }) => mac.guestOf(device.model),
    session: (body) => sessionInTime(server, 'ios', body),
    ended: (session) => endedInTime(server, session),
  };
}
