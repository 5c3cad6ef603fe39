import { type Static, Type } from '@sinclair/typebox';
import { compileCheck } from './compile-check.ts';
import { DURATION_PATTERN, formatDuration, parseDurationMs } from './duration-text.ts';
import { type Checked, fault } from './fault.ts';
import { LIMITS } from './limits.ts';

const KEY_TTL_SPAN = `from ${formatDuration(LIMITS.keyTtlMs.min)} to ${formatDuration(LIMITS.keyTtlMs.max)}`;

export const KeyName = Type.String({
  minLength: LIMITS.keyNameCharacters.min,
  maxLength: LIMITS.keyNameCharacters.max,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  words: 'text of 1 to 64 characters without line breaks or control characters',
  description: 'A name for people: 1 to 64 characters without line breaks',
  examples: ['ci'],
});

/** Body of `POST /service/account/keys`. */
export const CreateKey = Type.Object(
  {
    name: KeyName,
    ttl: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        words: `a duration such as "24h" or "720h", ${KEY_TTL_SPAN}`,
        description: `Lifetime of the key, ${KEY_TTL_SPAN}; default: valid until it is revoked`,
        examples: ['720h'],
      }),
    ),
  },
  { $id: 'CreateKey', additionalProperties: false },
);
export type CreateKey = Static<typeof CreateKey>;

/** A checked request for a key. */
export interface KeyRequest {
  readonly name: string;
  readonly ttlMs?: number;
}

const checkKey = compileCheck(CreateKey);

export function checkCreateKey(body: unknown): Checked<KeyRequest> {
  const refused = checkKey(body);
  if (refused) return { ok: false, fault: refused };
  const { name, ttl } = body as CreateKey;
  if (ttl === undefined) return { ok: true, value: { name } };
  const ttlMs = parseDurationMs(ttl);
  if (ttlMs === undefined || ttlMs < LIMITS.keyTtlMs.min || ttlMs > LIMITS.keyTtlMs.max) {
    return { ok: false, fault: fault('ttl', `must be ${KEY_TTL_SPAN}`) };
  }
  return { ok: true, value: { name, ttlMs } };
}
