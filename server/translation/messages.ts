/** A call of REST that the thread makes, with the credential of the call that it answers. */
export interface MadeRequest {
  readonly method: string;
  readonly path: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export type ToTranslator<Asked> =
  | { readonly kind: 'ask'; readonly call: number; readonly asked: Asked }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'abort'; readonly call: number }
  | { readonly kind: 'answered'; readonly request: number; readonly reply: PlainReply };

export type FromTranslator =
  | { readonly kind: 'reply'; readonly call: number; readonly reply: PlainReply | undefined }
  /** `call` is the one that the request is made for. */
  | { readonly kind: 'request'; readonly call: number; readonly request: number; readonly made: MadeRequest };
