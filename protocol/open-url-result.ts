import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { PLATFORMS } from './platforms.ts';

/** The answer to opening a URL: exactly these six fields (specification, section 2.6). */
export const OpenUrlResult = Type.Object(
  {
    ok: Type.Literal(true),
    platform: oneOf(PLATFORMS),
    sessionId: Type.String(),
    device: Type.String({ description: 'Device that accepted the operation' }),
    leaseId: Type.String({ description: 'Lease that accepted the operation' }),
    url: Type.String({ description: 'Exactly the input, neither decoded nor normalised' }),
  },
  { $id: 'OpenUrlResult', additionalProperties: false },
);
export type OpenUrlResult = Static<typeof OpenUrlResult>;
