import { faultSentence, type JsonBody, type Query, ServiceError, type StreamBody } from '@runcloud/protocol';
import type { HttpHead } from '../socket/http.ts';
import { readQuery } from './query.ts';
import type { Match } from './router.ts';
import { readJson } from './strict-json.ts';

type Head = Pick<HttpHead, 'header'>;

const JSON_TYPE = 'application/json';

/**
 * The checked body of a call. Throws `unsupported_media_type`, or the route's own code if the body is not JSON or does not match
 * its schema.
 *
 * @param named gets the request id and action of the body, even of a refused one
 */
export function readJsonBody(
  head: Head,
  bytes: Uint8Array,
  { check, invalid, identify }: JsonBody,
  named: object,
): unknown {
  // The most frequent spelling needs no parsing.
  if (head.header('content-type') !== JSON_TYPE && mediaTypeOf(head) !== JSON_TYPE)
    throw new ServiceError('unsupported_media_type');
  const read = readJson(bytes);
  if (!read.ok) throw new ServiceError(invalid, `${read.reason}.`);
  identify?.(read.value, named);
  const checked = check(read.value);
  if (!checked.ok) throw new ServiceError(invalid, faultSentence(checked.fault));
  return checked.value;
}

/** @param named gets the request id and action of a body that is read elsewhere, as far as its route says where they are */
export function identifyBody(found: Match, bytes: Uint8Array, named: { requestId?: string; action?: string }): void {
  const body = found.kind === 'route' ? found.route.body : undefined;
  if (body?.kind !== 'json' || !body.identify) return;
  const read = readJson(bytes);
  if (read.ok) body.identify(read.value, named);
}

/** Throws `unsupported_media_type` for an upload of another media type. */
export function checkMediaType(head: Head, { mediaTypes }: StreamBody): void {
  const mediaType = mediaTypeOf(head);
  if (mediaType === undefined || mediaTypes.includes(mediaType)) return;
  const message = `The body must be ${mediaTypes.join(', ')}, or have no Content-Type at all.`;
  throw new ServiceError('unsupported_media_type', message);
}

const mediaTypeOf = (head: Head): string | undefined =>
  head.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();

/** The checked query of a call. Throws `invalid_request` for an unknown parameter, the route's own code for a wrong value. */
export function readCheckedQuery(query: string, { schema, check, invalid }: Query): unknown {
  const checked = check(readQuery(query, Object.keys(schema.properties)));
  if (!checked.ok) throw new ServiceError(invalid, faultSentence(checked.fault));
  return checked.value;
}
