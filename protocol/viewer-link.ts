import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { compileCheck, oneOf } from './compile-check.ts';
import { DURATION_PATTERN, formatDuration, parseDurationMs } from './duration-text.ts';
import { type Checked, fault } from './fault.ts';
import { LIMITS } from './limits.ts';
import { NEXT } from './listing.ts';
import { canonicalOrigin } from './origin.ts';
import { ROLES, type Role } from './roles.ts';
import { CreateSession } from './session.ts';

const TTL_SPAN = `from ${formatDuration(LIMITS.viewerLinkTtlMs.min)} to ${formatDuration(LIMITS.viewerLinkTtlMs.max)}`;

/** Body of `POST /service/sessions/{sessionId}/viewer-links`. */
export const CreateViewerLink = Type.Object(
  {
    role: oneOf(ROLES),
    ttl: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        words: `a duration such as "90s", "10m" or "2h", ${TTL_SPAN}`,
        description: "Lifetime of the link; default 1h, limited by the session's hard timeout",
      }),
    ),
    embedOrigin: Type.Optional(CreateSession.properties.embedOrigins.items),
  },
  { $id: 'CreateViewerLink', additionalProperties: false },
);
export type CreateViewerLink = Static<typeof CreateViewerLink>;

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

/** A checked request for a link, with its defaults. */
export interface ViewerLinkRequest {
  readonly role: Role;
  readonly ttlMs: number;
  /** As browsers write it in `Origin`: lower case, without the scheme's own port. */
  readonly embedOrigin?: string;
}

const check = compileCheck(CreateViewerLink);

export function checkCreateViewerLink(body: unknown): Checked<ViewerLinkRequest> {
  const refused = check(body);
  if (refused) return { ok: false, fault: refused };
  const { role, ttl, embedOrigin } = body as CreateViewerLink;
  const { min, max, default: defaultMs } = LIMITS.viewerLinkTtlMs;
  const ttlMs = ttl === undefined ? defaultMs : parseDurationMs(ttl);
  if (ttlMs === undefined || ttlMs < min || ttlMs > max)
    return { ok: false, fault: fault('ttl', `must be ${TTL_SPAN}`) };
  if (embedOrigin === undefined) return { ok: true, value: { role, ttlMs } };
  const origin = canonicalOrigin(embedOrigin);
  if (origin === undefined)
    return { ok: false, fault: fault('embedOrigin', 'must be an origin that a browser can have') };
  return { ok: true, value: { role, ttlMs, embedOrigin: origin } };
}
