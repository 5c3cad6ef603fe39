import t from 'tap';
import { certifyStandIns } from '../support/certify-stand-ins.ts';

certifyStandIns(t, ['android-adb', 'android-scrcpy-3.3.4', 'android-scrcpy-4.1', 'ios-simulator-idb']);
