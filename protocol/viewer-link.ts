import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { id, text, timestamp } from './fields.ts';
import { NEXT } from './listing.ts';
import { ROLES } from './roles.ts';

const LINK_FIELDS = {
  id: id('lnk', 'Id of the link'),
  role: oneOf(ROLES, { description: 'What its holder may do: `control` the device, or only `view` it' }),
  expiresAt: timestamp('When the link stops working'),
  embedOrigin: Type.Optional(text('Origin of the pages that may embed this link', 'https://app.example.com')),
};

/** A viewer link as clients see it; only the answer to its creation contains the url. */
export const ViewerLink = Type.Object(LINK_FIELDS, {
  $id: 'ViewerLink',
  additionalProperties: false,
  description: 'A link that opens one session in a browser, without a key',
});
export type ViewerLink = Static<typeof ViewerLink>;

/** The answer to the creation of a link. */
export const CreatedViewerLink = Type.Object(
  {
    ...LINK_FIELDS,
    url: text(
      'Signed address of the viewer; no later answer contains it. Keep it secret, like a key',
      'http://127.0.0.1:8787/view/ses_4kZ1bQx7RmT9vLs2WcHn0e?token=...',
    ),
  },
  { $id: 'CreatedViewerLink', additionalProperties: false },
);
export type CreatedViewerLink = Static<typeof CreatedViewerLink>;

/** The session's links that are neither revoked nor expired, newest first. */
export const ViewerLinkList = Type.Object(
  { viewerLinks: Type.Array(ViewerLink, { description: 'Newest first' }), ...NEXT },
  { $id: 'ViewerLinkList', additionalProperties: false },
);
export type ViewerLinkList = Static<typeof ViewerLinkList>;

/** The answer to a revocation, the first and every later one. */
export const RevokedViewerLink = Type.Object(
  { id: id('lnk', 'Id of the link'), revoked: Type.Literal(true, { description: 'The link is revoked' }) },
  { $id: 'RevokedViewerLink', additionalProperties: false },
);
export type RevokedViewerLink = Static<typeof RevokedViewerLink>;
