import { ID_DIGITS, type RequestTemplate } from '../../load/job.ts';

/** The complete HTTP/1.1 request of one read; its id is in a header, since it has no body. */
export function readRequest(idPrefix: string, to: { host: string; path: string; key: string }): RequestTemplate {
  const head = [
    `GET ${to.path} HTTP/1.1`,
    `Host: ${to.host}`,
    `Authorization: Bearer ${to.key}`,
    `X-Service-Request-ID: ${idPrefix}`,
  ].join('\r\n');
  return { bytes: Buffer.from(`${head}${'0'.repeat(ID_DIGITS)}\r\n\r\n`), digitsAt: head.length };
}
