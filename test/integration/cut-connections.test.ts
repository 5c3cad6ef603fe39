import t from 'tap';
import { surviveChaos } from '../support/survive-chaos.ts';

/** Another process is watched through `/proc`. */
const options = { skip: process.platform === 'linux' ? false : 'NO /proc: sockets and memory are NOT watched' };

t.test('requests of every route that are cut at any byte, in any way, leave nothing behind', options, (t) =>
  surviveChaos(t, 5_000),
);
