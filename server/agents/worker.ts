import { parentPort, workerData } from 'node:worker_threads';
import { yieldThread } from '../flow/thread-priority.ts';
import { portToGateway } from '../link/worker-port.ts';
import { AgentsSide } from './agents-side.ts';
import type { FromAgents, ToAgents } from './messages.ts';

/** The thread that speaks the Model Context Protocol; its data is the version of the service. */
if (!parentPort) throw new Error('agents/worker.ts runs as a worker thread');
// A tap must not wait for what a language model is shown.
yieldThread();
new AgentsSide(portToGateway<FromAgents, ToAgents>(parentPort), String(workerData));
