import t from 'tap';
import { certifyFaults } from '../support/certify-faults.ts';

// The faults that fail the most different rows; `npm run prove` has all of them.
certifyFaults(t, ['beside', 'old picture', 'forgets to reset', 'keeps its settings']);
