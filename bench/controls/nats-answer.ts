import { controlAnswer } from './control-process.ts';
import { connectControl } from './nats-control.ts';

/** Answers each NATS request with the constant answer of the controls. */
const answer = controlAnswer();
const { nats, subject } = await connectControl();
nats.subscribe(subject, { callback: (_error, message) => void message.respond(answer) });
await nats.flush();
process.stdout.write('ready\n');
