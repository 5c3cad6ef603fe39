import t from 'tap';
import { drainSockets } from '../support/drain-sockets.ts';

t.test('each of three thousand sockets is told that the server stops, and the process ends by itself in time', (t) =>
  drainSockets(t, 3_000),
);
