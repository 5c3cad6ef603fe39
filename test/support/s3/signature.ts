import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Version 4 signatures as "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference describes them: in the header
 * `Authorization`, or in the query of a presigned address.
 */
export interface SignedRequest {
  readonly method: string;
  /** As sent, with the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly nowMs: number;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** As RFC 3986 has it: `encodeURIComponent` leaves five characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function millisecondsOf(date: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Why the request is refused, as a code of the S3 API; `undefined` when its signature holds. */
export function signatureFault(request: SignedRequest, credentials: S3Credentials): string | undefined {
  const url = new URL(request.target, 'http://store');
  const query = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature');
  const presigned = url.searchParams.get('X-Amz-Signature');
  const header = request.headers.authorization ?? '';
  const [, credential = '', names = '', signed = ''] = presigned
    ? ['', url.searchParams.get('X-Amz-Credential') ?? '', url.searchParams.get('X-Amz-SignedHeaders') ?? '', presigned]
    : (/^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header) ?? []);
  if (signed === '') return 'AccessDenied';
  const date = presigned ? url.searchParams.get('X-Amz-Date') : request.headers['x-amz-date'];
  if (typeof date !== 'string') return 'AccessDenied';
  const [keyId, day = '', region = '', service = '', end = ''] = credential.split('/');
  if (keyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== credentials.region || service !== 's3' || end !== 'aws4_request')
    return 'AuthorizationHeaderMalformed';
  const ageMs = request.nowMs - millisecondsOf(date);
  const validMs = presigned ? Number(url.searchParams.get('X-Amz-Expires')) * 1_000 : 900_000;
  if (!(ageMs <= validMs && ageMs > -900_000)) return presigned ? 'AccessDenied' : 'RequestTimeTooSkewed';
  const told = presigned ? 'UNSIGNED-PAYLOAD' : request.headers['x-amz-content-sha256'];
  if (!presigned && told !== 'UNSIGNED-PAYLOAD' && told !== sha256(request.body)) return 'XAmzContentSHA256Mismatch';
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    names,
    told,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = [region, 's3', 'aws4_request'].reduce(
    (own, part) => hmac(own, part),
    hmac(`AWS4${credentials.secretAccessKey}`, day),
  );
  return hmac(key, text).toString('hex') === signed ? undefined : 'SignatureDoesNotMatch';
}
