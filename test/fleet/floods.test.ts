import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import { CLOSE, LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startFleet } from '../support/fleet.ts';
import { UPGRADE_HEADERS } from '../support/frames.ts';
import { withoutNats } from '../support/nats-server.ts';
import type { RestClient } from '../support/rest-client.ts';
import { DEFAULTS, serverOf } from '../support/server.ts';
import { exchange, requestText } from '../support/wire.ts';

/** Hosts refuse who sends too much, and know callers by what an edge says of them. */

const TRIES = 3;
/** Within this time a host has refused. */
const REFUSED_MS = 100;

t.test('a key that is refused for its flood takes no other account along', { skip: withoutNats() }, async (t) => {
  const fleet = await startFleet({
    ...DEFAULTS,
    RUNCLOUD_RATE_LIMIT: '5000/100',
    RUNCLOUD_DEVICES: 'virtual-ios:2',
  });
  t.teardown(() => fleet.close());
  const server = serverOf(fleet);
  const [owner, stranger] = [server.addAccount('owner').rest, server.addAccount('stranger').rest];
  const [owned, other] = [await owner.createSession('ios'), await stranger.createSession('ios')];
  const flooding = await ControlClient.connect(server.url, other, stranger.authorization);
  for (let sent = 0; sent < 4 * LIMITS.overloadsPerMinute; sent++) flooding.send({ type: 'ping', id: sent });
  t.equal((await flooding.closed).code, CLOSE.policy.code);

  const upgrade = async ({ authorization }: RestClient, { platform, id }: SessionRecord) => {
    const headers = { ...UPGRADE_HEADERS, Authorization: authorization };
    return (await exchange(server.url, requestText(`GET /service/${platform}/${id}/control`, headers)))?.status;
  };
  for (let tries = 0; tries < TRIES; tries++) {
    // Its answer is held back for a while.
    const refused = upgrade(stranger, owned);
    await sleep(REFUSED_MS);
    t.equal(await upgrade(owner, owned), 101, 'the owner of the session is let in');
    t.equal(await refused, 429, 'whoever floods is refused');
  }
});
