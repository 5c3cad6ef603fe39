import t from 'tap';
import { certifyStandIns } from '../support/certify-stand-ins.ts';

// One Android and one iOS driver; `npm run prove` has the others.
certifyStandIns(t, ['android-emulator', 'ios-simulator']);
