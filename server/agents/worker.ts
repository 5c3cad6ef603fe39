import { parentPort, workerData } from 'node:worker_threads';
import { yieldThread } from '../flow/thread-priority.ts';
import { portToGateway } from '../link/worker-port.ts';
import type { AgentCall } from '../rest/mcp.ts';
import type { FromTranslator, ToTranslator } from '../translation/messages.ts';
import { TranslatorSide } from '../translation/translator-side.ts';
import { answerCalls } from './answer-calls.ts';

/** The thread that speaks the Model Context Protocol; its data is the version of the service. */
if (!parentPort) throw new Error('agents/worker.ts runs as a worker thread');
// A tap must not wait for what a language model is shown.
yieldThread();
new TranslatorSide(portToGateway<FromTranslator, ToTranslator<AgentCall>>(parentPort), answerCalls(String(workerData)));
