import { parentPort } from 'node:worker_threads';
import { serveFinisher } from '../link/finisher-side.ts';
import { portToGateway } from '../link/worker-port.ts';
import { finish } from './finish.ts';
import { verify } from './verify.ts';

/** The finisher thread's entry: hashing and reading whole files, away from sockets and devices. */
if (!parentPort) throw new Error('finisher/worker.ts runs as a worker thread');
serveFinisher(portToGateway(parentPort), { finish, verify });
