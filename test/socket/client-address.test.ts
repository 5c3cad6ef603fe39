import type { HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { clientAddress } from '../../server/socket/client-address.ts';

const from = (address: string) =>
  ({ getRemoteAddressAsText: () => new TextEncoder().encode(address).buffer }) as unknown as HttpResponse;

const LOOPBACKS = ['127.0.0.1', '0000:0000:0000:0000:0000:0000:0000:0001', '0000:0000:0000:0000:0000:ffff:7f00:0001'];

t.test('the address is that of the connection', async (t) => {
  t.equal(clientAddress(from('192.0.2.1'), undefined), '192.0.2.1');
  t.equal(clientAddress(from('127.0.0.1'), undefined), '127.0.0.1');
});

t.test('a proxy on this machine is believed, and of the list only what it added itself', async (t) => {
  for (const loopback of LOOPBACKS) {
    t.equal(clientAddress(from(loopback), '198.51.100.9, 192.0.2.7'), '192.0.2.7', loopback);
    t.equal(clientAddress(from(loopback), '2001:db8::7'), '2001:db8::7', loopback);
  }
});

t.test('nobody else is believed, and nothing that is no address', async (t) => {
  t.equal(clientAddress(from('192.0.2.1'), '198.51.100.9'), '192.0.2.1');
  for (const nonsense of ['unknown', '', 'x, y', '198.51.100.9,', '198.51.100.9:80']) {
    t.equal(clientAddress(from('127.0.0.1'), nonsense), '127.0.0.1', nonsense);
  }
});
