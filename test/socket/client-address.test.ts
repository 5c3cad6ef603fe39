import { isIPv6 } from 'node:net';
import t from 'tap';
import { clientAddress } from '../../server/socket/client-address.ts';

/** The address and the network of a request that came from `own`, where the last line of the proxy's header is this one. */
const whence = (own: string, lastLine?: string) => clientAddress(own, () => lastLine);

const LOOPBACKS = ['127.0.0.1', '0000:0000:0000:0000:0000:0000:0000:0001', '0000:0000:0000:0000:0000:ffff:7f00:0001'];

t.test('the address is that of the connection', async (t) => {
  t.equal(whence('192.0.2.1').address, '192.0.2.1');
  t.equal(whence('127.0.0.1').address, '127.0.0.1');
});

t.test('a proxy on this machine is believed, and only the entry that it added itself', async (t) => {
  for (const loopback of LOOPBACKS) {
    t.equal(whence(loopback, '198.51.100.9, 192.0.2.7').address, '192.0.2.7', loopback);
    t.equal(whence(loopback, '2001:db8::7').address, '2001:db8::7', loopback);
    t.equal(whence(loopback, 'x, 198.51.100.8, 192.0.2.7').address, '192.0.2.7', loopback);
  }
});

t.test('nobody else is believed, and nothing that is no address', async (t) => {
  t.equal(whence('192.0.2.1', '198.51.100.9').address, '192.0.2.1');
  for (const nonsense of ['unknown', '', 'x, y', '198.51.100.9,', '198.51.100.9:80']) {
    t.equal(whence('127.0.0.1', nonsense).address, '127.0.0.1', nonsense);
  }
});

t.test('IPv6 is counted by the network that one subscriber has, in whichever spelling', async (t) => {
  const network = '2001:db8:0:a::/64';
  for (const address of [
    '2001:db8:0:a::1',
    '2001:DB8:0:A:ffff:ffff:ffff:ffff',
    '2001:0db8:0000:000a::',
    '2001:db8::a:0:0:0:9%eth0',
    '2001:db8:0:a::192.0.2.1',
  ]) {
    t.ok(isIPv6(address), address);
    t.same(whence('127.0.0.1', address), { address, network }, address);
  }
  t.equal(whence('2001:0db8:0000:000a:0000:0000:0000:0001').network, network);
  t.equal(whence('127.0.0.1', '2001:db8:0:b::1').network, '2001:db8:0:b::/64');
  t.equal(whence('127.0.0.1', '::1').network, '0:0:0:0::/64');
});

t.test('IPv4 is counted by the address, also where IPv6 carries it', async (t) => {
  t.equal(whence('192.0.2.1').network, '192.0.2.1');
  for (const address of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:c000:0201']) {
    t.same(whence('127.0.0.1', address), { address, network: '192.0.2.1' }, address);
  }
  t.equal(whence('0000:0000:0000:0000:0000:ffff:c000:0201').network, '192.0.2.1');
});
