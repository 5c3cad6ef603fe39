const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const STATUS_AT = 9;

/** Length and status of the HTTP/1.1 answer at the start of `bytes`; `undefined` if it is incomplete. */
export function readHttpAnswer(bytes: Buffer): { readonly length: number; readonly status: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END, 0, 'latin1');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = headEnd + HEAD_END.length + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
  if (bytes.length < length) return undefined;
  return { length, status: Number(head.slice(STATUS_AT, STATUS_AT + 3)) };
}
