import t, { type Test } from 'tap';
import { connectNats } from '../../server/fleet/nats-bus.ts';
import { edgeUser } from '../../server/fleet/nats-users.ts';
import { LocalNats } from '../../server/local-nats.ts';
import { withoutNats } from '../support/nats-server.ts';
import { until } from '../support/until.ts';

const skip = withoutNats();

/** A sender and what a receiver has got. */
async function pair(t: Test) {
  const user = { ...edgeUser(), permissions: { publish: ['>'], subscribe: ['>'] } };
  const nats = await LocalNats.start([user]);
  t.teardown(() => nats.close());
  const join = (name: string) =>
    connectNats({ servers: [nats.address], user: user.user, password: user.password }, name, (error) =>
      t.fail(String(error)),
    );
  const receiver = await join('receiver');
  t.teardown(() => receiver.close());
  const got: string[] = [];
  receiver.subscribe('numbers', ({ payload }) => got.push(Buffer.from(payload).toString()));
  const sender = await join('sender');
  let sent = 0;
  const send = () => sender.publish('numbers', Buffer.from(String(++sent)));
  await until(() => {
    if (got.length === 0) send();
    return got.length > 0;
  }, 'the receiver hears the sender');
  return { sender, send, got, sent: () => sent };
}

t.test('what is published comes in its order, however many messages a turn has', { skip }, async (t) => {
  const { sender, send, got, sent } = await pair(t);
  for (let turn = 0; turn < 20; turn++) {
    for (let count = 0; count < turn; count++) send();
    if (turn % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.resolve();
  }
  await until(() => got.length >= sent(), 'all has come');
  t.strictSame(
    got,
    Array.from({ length: sent() }, (_, index) => String(index + 1)),
  );
  await sender.close();
});

t.test('what is published before the close comes, and what is published after it harms nobody', { skip }, async (t) => {
  const { sender, send, got, sent } = await pair(t);
  for (let count = 0; count < 5; count++) send();
  const before = sent();
  const closed = sender.close();
  send();
  send();
  await closed;
  send();
  await new Promise((resolve) => setImmediate(resolve));
  await until(() => got.length >= before, 'all has come');
  t.equal(got.length, before);
});
