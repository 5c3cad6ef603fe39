import t from 'tap';
import { isAddress } from '../../../server/drivers/android/attached/attached-devices.ts';

t.test('an address is a host and a port; a number of a maker and a name of adb are none', async (t) => {
  for (const serial of ['127.0.0.1:5555', 'phone.lan:5555', '[fe80::1%eth0]:5555', '[::1]:65535', 'host_1:1']) {
    t.equal(isAddress(serial), true, serial);
  }
  for (const serial of [
    'R58M123ABC',
    'emulator-5554',
    'adb-R58M123ABC-x1Yz._adb-tls-connect._tcp',
    'phone.lan',
    'phone.lan:',
    ':5555',
    'phone:5555:6666',
    'phone lan:5555',
    'phone:123456',
    'usb:1-1.2',
    '',
  ]) {
    t.equal(isAddress(serial), false, serial);
  }
});
