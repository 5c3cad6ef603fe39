import { Acknowledgement, ERRORS, type ErrorCode } from '@runcloud/protocol';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { TEST_KEY } from './server.ts';

const compiled = TypeCompiler.Compile(Acknowledgement);

/** Patterns that must never match an answer: a stack trace, a path of the server, a key. */
const LEAKS = [/\bat .*:\d+:\d+/, /\.ts\b/, /node_modules/, /\/(?:home|tmp|usr|work|root)\//, /rck_/, /SQLITE/i];

/** Why this text is not the failure envelope of `code`, answered with `status`; `undefined` when it is. */
export function envelopeFault(code: ErrorCode, status: number, text: string): string | undefined {
  if (status !== ERRORS[code].http) return `the status is ${status}: ${text.slice(0, 300)}`;
  const leak = LEAKS.find((pattern) => pattern.test(text));
  if (leak || text.includes(TEST_KEY)) return `the answer lets out ${leak ?? 'the key'}: ${text}`;
  const body: unknown = JSON.parse(text);
  if (!compiled.Check(body)) return `no envelope: ${compiled.Errors(body).First()?.path} in ${text}`;
  if (body.ok || body.status !== 'failed' || body.requestId === '') return `no failure: ${text}`;
  if (body.error?.code !== code) return `the code is ${body.error?.code}: ${body.error?.message}`;
  return body.error.retryable === ERRORS[code].retryable ? undefined : 'retryable is not what the catalogue says';
}

/** The sentence of a failure. */
export function sentenceOf(text: string): string {
  const body: unknown = JSON.parse(text);
  return compiled.Check(body) ? (body.error?.message ?? '') : '';
}
