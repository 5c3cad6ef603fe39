import t from 'tap';
import { certifyFaults } from '../support/certify-faults.ts';

// The four faults that fail the most different rows; `npm run prove` has all seven.
certifyFaults(t, ['beside', 'loses keys', 'old picture', 'forgets to reset']);
