import { createHash } from 'node:crypto';

/** What a repeated request is compared with: the body itself, or the digest of one that is too long to keep. */
export type Fingerprint = object | string;

/** Actions whose bodies may be as long as a message; the others are a few fields. */
const LONG: ReadonlySet<string> = new Set(['gesture', 'open-url', 'typeText']);

/** Remembers a body. Most are never asked for again, so a short one costs nothing here. */
export function fingerprint(action: string, body: object): Fingerprint {
  return LONG.has(action) ? digest(body) : body;
}

/** Whether two bodies are equal, defaults included: their fields are in one order. */
export function sameBody(one: Fingerprint, other: Fingerprint): boolean {
  return textOf(one) === textOf(other);
}

const textOf = (print: Fingerprint): string => (typeof print === 'string' ? print : JSON.stringify(print));

const digest = (body: object): string => createHash('sha256').update(JSON.stringify(body)).digest('base64');
