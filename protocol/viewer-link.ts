import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { oneOf } from './compile-check.ts';
import { NEXT } from './listing.ts';
import { ROLES } from './roles.ts';

const LINK_FIELDS = {
  id: Type.String(),
  role: oneOf(ROLES),
  expiresAt: Timestamp,
  embedOrigin: Type.Optional(Type.String({ description: 'Origin of pages that may embed this link' })),
};

/** A viewer link as clients see it; only the answer to its creation contains the url. */
export const ViewerLink = Type.Object(LINK_FIELDS, { $id: 'ViewerLink', additionalProperties: false });
export type ViewerLink = Static<typeof ViewerLink>;

/** The answer to the creation of a link. */
export const CreatedViewerLink = Type.Object(
  {
    ...LINK_FIELDS,
    url: Type.String({
      description: 'Signed address of the viewer; no later answer contains it. Keep it secret, like a key',
    }),
  },
  { $id: 'CreatedViewerLink', additionalProperties: false },
);
export type CreatedViewerLink = Static<typeof CreatedViewerLink>;

/** The session's links that are neither revoked nor expired, newest first. */
export const ViewerLinkList = Type.Object(
  { viewerLinks: Type.Array(Type.Object(LINK_FIELDS, { additionalProperties: false })), ...NEXT },
  { $id: 'ViewerLinkList', additionalProperties: false },
);
export type ViewerLinkList = Static<typeof ViewerLinkList>;

/** The answer to a revocation, the first and every later one. */
export const RevokedViewerLink = Type.Object(
  { id: Type.String(), revoked: Type.Literal(true) },
  { $id: 'RevokedViewerLink', additionalProperties: false },
);
export type RevokedViewerLink = Static<typeof RevokedViewerLink>;
