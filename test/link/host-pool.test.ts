import t from 'tap';
import { HostPool } from '../../server/link/host-pool.ts';
import { type PortPair, portPair } from '../support/port-pair.ts';

function open(size: number) {
  const spawned: PortPair[] = [];
  const pool = new HostPool(size, () => {
    const pair = portPair();
    spawned.push(pair);
    return pair.gateway;
  });
  return { spawned, pool };
}

t.test('a host starts with its first device, and its devices share it', async (t) => {
  const { spawned, pool } = open(2);
  t.equal(spawned.length, 0);
  const links = [0, 1, 2, 3].map((index) => pool.link(index));
  t.equal(spawned.length, 2);
  t.equal(links[0]?.link, links[2]?.link);
  t.equal(links[1]?.link, links[3]?.link);
  t.not(links[0]?.link, links[1]?.link);
});

t.test('no two devices have one number, not even one after the other in the same place', async (t) => {
  const { pool } = open(2);
  const numbers = [0, 0, 1, 1, 0].map((index) => pool.link(index).device);
  t.equal(new Set(numbers).size, numbers.length);
});

t.test('a host that died is replaced on demand, and the others go on', async (t) => {
  const { spawned, pool } = open(2);
  const [one, two] = [pool.link(0).link, pool.link(1).link];
  spawned[0]?.breakHost('exit code 9');
  t.equal(spawned.length, 2, 'not before somebody asks');
  const fresh = pool.link(0).link;
  t.equal(spawned.length, 3);
  t.not(fresh, one);
  t.equal(fresh.closedReason, undefined);
  t.equal(pool.link(1).link, two);
});

t.test('closing closes every host that started, and starts no other', async (t) => {
  const { spawned, pool } = open(3);
  pool.link(0);
  pool.link(2);
  await pool.close();
  t.strictSame(
    spawned.map(({ gateway }) => gateway.closed),
    [true, true],
  );
  for (const index of [0, 1]) t.throws(() => pool.link(index), { name: 'DeviceFault', kind: 'unreachable' });
  t.equal(spawned.length, 2);
});
