import { connect } from '@nats-io/transport-node';
import { controlAnswer } from './control-process.ts';
import { NATS_CONTROL, type NatsControl } from './nats-control.ts';

/** Answers each NATS request with the constant answer of the controls. */
const { servers, user, pass, subject } = JSON.parse(process.env[NATS_CONTROL] ?? '') as NatsControl;
const answer = controlAnswer();
const nats = await connect({ servers, user, pass });
nats.subscribe(subject, { callback: (_error, message) => void message.respond(answer) });
await nats.flush();
process.stdout.write('ready\n');
