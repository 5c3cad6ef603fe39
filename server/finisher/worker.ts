import { parentPort } from 'node:worker_threads';
import { serveFinisher } from '../link/finisher-side.ts';
import { portToGateway } from '../link/worker-port.ts';
import { finish } from './finish.ts';
import { makePoster } from './poster.ts';
import { verify } from './verify.ts';

/** Entry of the finisher thread, which reads and hashes whole files so that sockets and devices do not wait for that. */
if (!parentPort) throw new Error('finisher/worker.ts runs as a worker thread');
serveFinisher(portToGateway(parentPort), { finish, verify, makePoster });
