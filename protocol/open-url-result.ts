import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { id, text } from './fields.ts';
import { PLATFORMS } from './platforms.ts';

/** The answer to opening a URL: exactly these six fields. */
export const OpenUrlResult = Type.Object(
  {
    ok: Type.Literal(true, { description: 'The device has taken the URL' }),
    platform: oneOf(PLATFORMS, { description: 'Platform of the device' }),
    sessionId: id('ses', 'Id of the session'),
    device: id('dev', 'Device that took the URL'),
    leaseId: id('lse', 'Lease under which it did'),
    url: text('Exactly what you sent, neither decoded nor normalised', 'https://example.com/cart?item=42'),
  },
  { $id: 'OpenUrlResult', additionalProperties: false },
);
export type OpenUrlResult = Static<typeof OpenUrlResult>;
