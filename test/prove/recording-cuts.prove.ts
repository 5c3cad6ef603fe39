import t from 'tap';
import { keepsWholeSamples } from '../finisher/cut-captures.ts';

const CUTS = 2_000;

t.test(`a part file cut at ${CUTS} places keeps every whole sample`, (t) => keepsWholeSamples(t, CUTS));
