import { Acknowledgement, type Answer, compileCheck, type Fault, faultSentence, type Route } from '@runcloud/protocol';
import type { TSchema } from '@sinclair/typebox';
import type { HttpReply } from '../socket/http.ts';

const FAILURE: Answer = { description: 'The envelope of a failure', schema: Acknowledgement };
const checks = new WeakMap<TSchema, (value: unknown) => Fault | undefined>();

/**
 * How an answer is another than its route declares; `undefined` for one that is as declared. For tests, and to look for a
 * fault: it reads each body once more.
 *
 * @param route absent where the request named none
 */
export function answerFault(route: Route | undefined, { status, headers, body }: HttpReply): string | undefined {
  const declared = route?.answers[status] ?? (status >= 400 ? FAILURE : undefined);
  if (declared === undefined) return `the status ${status} is not declared`;
  const { schema, mediaType = schema && 'application/json' } = declared;
  const type = headers?.['Content-Type']?.split(';', 1)[0];
  // A 304 tells the type of the body that it does not have.
  if (mediaType === undefined) return body.length > 0 ? 'a body is not declared' : undefined;
  if (mediaType !== '*/*' && type !== mediaType) return `its Content-Type is ${type}, not ${mediaType}`;
  if (schema === undefined) return undefined;
  const fault = checkOf(schema)(JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()));
  return fault && faultSentence(fault);
}

function checkOf(schema: TSchema): (value: unknown) => Fault | undefined {
  const check = checks.get(schema) ?? compileCheck(schema);
  checks.set(schema, check);
  return check;
}
