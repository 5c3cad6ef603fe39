import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Client } from '../../client/sdk/client.ts';
import type { SessionHandle } from '../../client/sdk/session.ts';
import type { Platform, Role } from '../../client/sdk/types.ts';

export interface Only {
  readonly id: string;
  readonly platform: Platform;
  readonly role: Role;
}

/** What the tools act on: the service as one credential sees it. */
export interface Ground {
  readonly cloud: Client;
  /** The session that the credential is for, and what it may do there; absent of one that is for an account. */
  readonly only?: Only | undefined;
}

/** One call of a tool. */
export interface ToolCall<Arguments> {
  readonly given: Arguments;
  readonly ground: Ground;
  readonly signal: AbortSignal;
  /** The session that the arguments name. */
  readonly session: () => Promise<SessionHandle>;
}

export type Content = CallToolResult['content'][number];

export interface Tool<Arguments = never> {
  readonly name: string;
  readonly description: string;
  /** JSON Schemas of the arguments, by name; `session` and `requestId` are added to those that have them: an effect is repeated by its request id, and is done once. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly annotations: ToolAnnotations;
  /** About the account; about a session, for who owns it; or about the device of one, for who has it. */
  readonly scope: 'account' | 'session' | 'device';
  readonly run: (call: ToolCall<Arguments>) => Promise<CallToolResult>;
}

/** Checked against its schema before it runs. */
export const tool = <Arguments>(value: Tool<Arguments>): Tool => value as unknown as Tool;

/** Looks, and changes nothing. */
export const READS = { readOnlyHint: true } as const;
/** Changes what a call with the same request id has not changed before; it reaches no further than the device. */
export const ACTS = { readOnlyHint: false, destructiveHint: false } as const;
export const DESTROYS = { readOnlyHint: false, destructiveHint: true } as const;

export const said = (...lines: readonly (string | undefined)[]): CallToolResult => ({
  content: [text(lines.filter((line) => line !== undefined).join('\n'))],
});

export const text = (words: string): Content => ({ type: 'text', text: words.trimEnd() });

export const REQUEST_ID = { type: 'string' } as const;
