import {
  type Acknowledgement,
  compileCheck,
  type Fault,
  faultSentence,
  SERVER_MESSAGES,
  type ServerMessage,
} from '@runcloud/protocol';
import { resultFault } from '../rest/answer-check.ts';

let checks: ReadonlyMap<string, (message: unknown) => Fault | undefined> | undefined;

/** Throws if a message does not match its schema. For tests and for debugging. */
export function checkServerMessage(message: ServerMessage | Acknowledgement): void {
  checks ??= new Map(Object.entries(SERVER_MESSAGES).map(([type, schema]) => [type, compileCheck(schema)]));
  const sent = 'type' in message ? message : { type: 'result' as const, ...message };
  const refused = checks.get(sent.type)?.(sent);
  const fault = refused ? faultSentence(refused) : sent.type === 'result' ? resultFault(sent) : undefined;
  if (fault !== undefined) throw new Error(`A message "${sent.type}" is another than declared: ${fault}`);
}
