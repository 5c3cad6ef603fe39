import type { Only } from './tool.ts';

/** A call of `POST /mcp`. */
export interface AgentCall {
  readonly headers: Readonly<Record<string, string>>;
  /** One JSON-RPC message. */
  readonly message: Readonly<Record<string, unknown>>;
  /** The session of a session token; absent for a credential of an account. */
  readonly only: Only | undefined;
}

/** A call of REST that a tool makes, with the credential of the agent's call. */
export interface ToolRequest {
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

export type ToAgents =
  | { readonly kind: 'ask'; readonly call: number; readonly asked: AgentCall }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'abort'; readonly call: number }
  | { readonly kind: 'answered'; readonly request: number; readonly reply: PlainReply };

export type FromAgents =
  | { readonly kind: 'reply'; readonly call: number; readonly reply: PlainReply | undefined }
  /** `call` is the agent's call that it is made for. */
  | { readonly kind: 'request'; readonly call: number; readonly request: number; readonly made: ToolRequest };
