import t from 'tap';
import { ALL_FAULTS, certifyFaults } from '../support/certify-faults.ts';

certifyFaults(t, ALL_FAULTS);
