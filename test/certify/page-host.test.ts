import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { addressTowards, LOOPBACK, pageHost } from '../../server/certify/page-host.ts';

t.test('a device gets the card from the address by which it knows this machine', async (t) => {
  const seen = (listen: string, given: string | undefined, driver: string) => pageHost(listen, given).seenBy(driver);
  t.equal(seen(LOOPBACK, undefined, 'virtual'), LOOPBACK);
  t.equal(seen(LOOPBACK, undefined, 'ios-simulator'), LOOPBACK);
  t.equal(seen(LOOPBACK, undefined, 'android-emulator'), '10.0.2.2');
  t.throws(() => seen(LOOPBACK, undefined, 'android-adb'), /--page-host/);
  t.equal(seen('192.0.2.7', undefined, 'android-emulator'), '192.0.2.7');
  t.equal(seen('2001:db8::7', undefined, 'android-adb'), '[2001:db8::7]');
});

t.test('an address that the user names is taken as it is', async (t) => {
  const { listen, seenBy } = pageHost('192.0.2.7', LOOPBACK);
  t.same([listen, seenBy('android-emulator'), seenBy('android-adb')], [LOOPBACK, LOOPBACK, LOOPBACK]);
});

t.test('the address towards a service is found by reaching it, and a service that is not there is told', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo;
  t.equal(await addressTowards(`http://${LOOPBACK}:${port}/path`), LOOPBACK);
  t.equal(await addressTowards(`http://localhost:${port}`), LOOPBACK);
  await new Promise((resolve) => server.close(resolve));
  await t.rejects(addressTowards(`http://${LOOPBACK}:${port}`), { code: 'ECONNREFUSED' });
});
