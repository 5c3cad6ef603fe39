import t from 'tap';
import { keepsWholeSamples } from '../host/finishing/cut-captures.ts';

const CUTS = 2_000;

t.test(`a part file cut at ${CUTS} places keeps every whole sample`, (t) => keepsWholeSamples(t, CUTS));
