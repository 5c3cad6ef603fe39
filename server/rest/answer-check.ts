import {
  ACTIONS,
  Acknowledgement,
  type Answer,
  type AnyAction,
  compileCheck,
  type Fault,
  faultSentence,
  type Route,
} from '@runcloud/protocol';
import type { TSchema } from '@sinclair/typebox';
import type { HttpReply } from '../socket/http.ts';

const FAILURE: Answer = { description: 'The envelope of a failure', schema: Acknowledgement };
const WEB_DRIVER_FAILURE: Answer = { description: 'An error of WebDriver', mediaType: 'application/json' };
const ACTIONS_BY_NAME: ReadonlyMap<string, AnyAction> = new Map(Object.entries(ACTIONS));
const checks = new WeakMap<TSchema, (value: unknown) => Fault | undefined>();

/**
 * Why an answer does not match its route's declaration; `undefined` if it does. For tests and debugging, since it parses each
 * body again.
 *
 * @param route absent if the request matched no route
 */
export function answerFault(
  route: Route | undefined,
  { status, headers, body, stream }: HttpReply,
): string | undefined {
  const failure = route?.failures ? WEB_DRIVER_FAILURE : FAILURE;
  const declared = route?.answers[status] ?? (status >= 400 ? failure : undefined);
  if (declared === undefined) return `the status ${status} is not declared`;
  const { schema, mediaType = schema && 'application/json', streamType, otherType } = declared;
  const type = headers?.['Content-Type']?.split(';', 1)[0];
  // The lines of a stream are not read here: they are made while it is sent.
  if (stream && type === streamType) return undefined;
  if (type !== undefined && type === otherType) return undefined;
  // A 304 has the content type of the omitted body.
  if (mediaType === undefined) return body.length > 0 ? 'a body is not declared' : undefined;
  if (mediaType !== '*/*' && type !== mediaType) return `its Content-Type is ${type}, not ${mediaType}`;
  if (schema === undefined) return undefined;
  const value: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
  const fault = checkOf(schema)(value);
  if (fault) return faultSentence(fault);
  return schema === Acknowledgement ? resultFault(value as Acknowledgement) : undefined;
}

/** Why the result of a completed action does not match the action's schema. */
export function resultFault({ ok, action = '', result }: Acknowledgement): string | undefined {
  const declared = ok ? ACTIONS_BY_NAME.get(action) : undefined;
  if (declared === undefined) return undefined;
  const { result: schema } = declared;
  if (schema === undefined) return result === undefined ? undefined : 'a result is not declared';
  const fault = checkOf(schema as unknown as TSchema)(result);
  return fault && `result: ${faultSentence(fault)}`;
}

function checkOf(schema: TSchema): (value: unknown) => Fault | undefined {
  const check = checks.get(schema) ?? compileCheck(schema);
  checks.set(schema, check);
  return check;
}
