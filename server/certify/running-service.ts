import { randomUUID } from 'node:crypto';
import type { Platform } from '@runcloud/protocol/terms';
import { RunCloud } from '../../client/sdk/index.ts';
import { addressTowards, pageHost } from './page-host.ts';
import type { Service } from './service.ts';
import { DEVICE_MS } from './subject.ts';

export interface RunningServiceOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly platform: Platform;
  readonly deviceModel: string | undefined;
  /** Address of this machine for the device's browser. */
  readonly pageHost: string | undefined;
}

/** A service that runs, reached as any client reaches it. Rejects if it does not answer, or does not take the key. */
export async function runningService(options: RunningServiceOptions): Promise<Service> {
  const { url, apiKey, platform, deviceModel } = options;
  const cloud = new RunCloud({ apiKey, baseUrl: url });
  const { name } = await cloud.account.get();
  const page = pageHost(await addressTowards(url), options.pageHost);
  const device = `${platform}${deviceModel === undefined ? '' : `, ${deviceModel}`}`;
  return {
    entry: `${device} of ${url}`,
    platform,
    deviceModel,
    exclusive: false,
    page,
    touches: [
      `a free device of ${url} (${device}), waited for at most ${DEVICE_MS / 60_000} minutes`,
      'its touches, keys, buttons, orientation, screen, browser, location, settings and photos are tried, and permissions and notifications of a small app, in about two minutes',
      'what a release resets on it is reset, as after any session',
      'if a new session gets another device of its model, that one is opened and given back, until it is this one again',
      `three sessions of the account ${name}, which are released, a small app, which is deleted, and a recording of two seconds, which the service ` +
        'deletes when its retention ends',
      `a page is served on ${page.listen}, to everybody who reaches this address`,
    ],
    open: async () => {
      const labels = { purpose: 'certify', run: randomUUID() };
      return { url, cloud, labels, close: () => releaseAll(cloud, platform, labels.run) };
    },
  };
}

/** Releases what is left, also a session whose creation was broken off and may be under way all the same. */
async function releaseAll(cloud: RunCloud, platform: Platform, run: string): Promise<void> {
  for (const status of ['starting', 'active'] as const) {
    for await (const session of cloud.sessions.all({ platform, status })) {
      if (session.record.labels.run === run) await session.delete();
    }
  }
}
