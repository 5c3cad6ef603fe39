import t from 'tap';
import { certifyFaults } from '../support/certify-faults.ts';

// Those that are told apart by most; `npm run prove` has them all.
certifyFaults(t, ['beside', 'loses keys', 'old picture', 'forgets to reset']);
