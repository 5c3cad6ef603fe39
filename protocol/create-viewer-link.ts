import { type Static, Type } from '@sinclair/typebox';
import { compileCheck, oneOf } from './compile-check.ts';
import { CreateSession } from './create-session.ts';
import { DURATION_PATTERN, formatDuration, parseDurationMs } from './duration-text.ts';
import { type Checked, fault } from './fault.ts';
import { LIMITS } from './limits.ts';
import { canonicalOrigin } from './origin.ts';
import { ROLES, type Role } from './roles.ts';

const TTL_SPAN = `from ${formatDuration(LIMITS.viewerLinkTtlMs.min)} to ${formatDuration(LIMITS.viewerLinkTtlMs.max)}`;

/** Body of `POST /service/sessions/{sessionId}/viewer-links`. */
export const CreateViewerLink = Type.Object(
  {
    role: oneOf(ROLES, { description: 'What the holder may do: `control` the device, or only `view` it' }),
    ttl: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        words: `a duration such as "90s", "10m" or "2h", ${TTL_SPAN}`,
        description: `Lifetime of the link, ${TTL_SPAN}, within the session's hard timeout; default: 1h`,
        examples: ['30m'],
      }),
    ),
    embedOrigin: Type.Optional(
      Type.String({
        ...CreateSession.properties.embedOrigins.items,
        description: 'Origin of the pages that may embed this link',
        examples: ['https://app.example.com'],
      }),
    ),
  },
  { $id: 'CreateViewerLink', additionalProperties: false },
);
export type CreateViewerLink = Static<typeof CreateViewerLink>;

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
