import t from 'tap';
import { ALL_FAULTS, certifyFaults } from '../support/certify-faults.ts';

/** Each fault behind one Android and one iOS driver, on stand-ins of their devices. */
certifyFaults(t, ALL_FAULTS, 'android-emulator');
certifyFaults(t, ALL_FAULTS, 'ios-simulator');
