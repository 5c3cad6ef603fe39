import type { McpMessage, Platform, ROUTES, Role } from '@runcloud/protocol';
import type { HeaderName, HttpHead } from '../socket/http.ts';
import type { CallTo, Reply } from './call.ts';
import type { Services } from './services.ts';

/** A call of the Model Context Protocol. */
export interface AgentCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: McpMessage;
  /** The session of a session token, and what it may do there; absent for a credential of an account. */
  readonly only: { readonly id: string; readonly platform: Platform; readonly role: Role } | undefined;
}

/** The headers that the protocol reads. */
const HEADERS: readonly HeaderName[] = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** `POST /mcp`: a language model's call. */
export async function mcp(call: CallTo<'mcp'>, { agents, registry }: Services) {
  const { head, owner, payer, body } = call;
  const { token } = owner;
  const only = token && {
    id: token.sessionId,
    platform: registry.read(owner, token.sessionId).platform,
    role: token.role,
  };
  const asked: AgentCall = { headers: headersOf(head), message: body, only };
  return (await agents.ask({ admission: { owner, payer }, head }, asked)) as Awaited<Reply<typeof ROUTES.mcp>>;
}

function headersOf(head: Pick<HttpHead, 'header'>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = head.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
