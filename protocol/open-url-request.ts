import { type Static, Type } from '@sinclair/typebox';
import { RequestId } from './actions/define-action.ts';
import { compileCheck } from './compile-check.ts';
import type { Checked } from './fault.ts';

/** The body of `POST .../open-url`. The rules of the URL itself are `urlFault`'s. */
export const OpenUrlRequest = Type.Object(
  {
    url: Type.String({
      description: 'One absolute URI of 1 to 4,096 UTF-16 code units, used exactly as it is',
      examples: ['https://example.com/cart?item=42'],
    }),
    requestId: Type.Optional(RequestId),
  },
  { $id: 'OpenUrl', additionalProperties: false },
);
export type OpenUrlRequest = Static<typeof OpenUrlRequest>;

const check = compileCheck(OpenUrlRequest);

/** The body with its fields; nothing is said of the URL yet. */
export function checkOpenUrl(value: unknown): Checked<OpenUrlRequest> {
  const refused = check(value);
  return refused ? { ok: false, fault: refused } : { ok: true, value: value as OpenUrlRequest };
}
