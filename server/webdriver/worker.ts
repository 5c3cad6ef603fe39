import { parentPort } from 'node:worker_threads';
import { yieldThread } from '../flow/thread-priority.ts';
import { portToGateway } from '../link/worker-port.ts';
import type { WebDriverCall } from '../rest/web-driver.ts';
import type { FromTranslator, ToTranslator } from '../translation/messages.ts';
import { TranslatorSide } from '../translation/translator-side.ts';
import { answerCalls } from './answer-calls.ts';

/** The thread that speaks WebDriver. */
if (!parentPort) throw new Error('webdriver/worker.ts runs as a worker thread');
// A tap must not wait for what a tree is searched for.
yieldThread();
new TranslatorSide(portToGateway<FromTranslator, ToTranslator<WebDriverCall>>(parentPort), answerCalls());
