import type { ROUTES } from '@runcloud/protocol';
import type { CallTo, Reply } from './call.ts';
import type { Services } from './services.ts';

/** `POST /mcp`: a language model's call. */
export async function mcp(call: CallTo<'mcp'>, { agents, registry }: Services) {
  const { head, owner, payer, body } = call;
  const { token } = owner;
  const only = token && {
    id: token.sessionId,
    platform: registry.read(owner, token.sessionId).platform,
    role: token.role,
  };
  return (await agents.ask({ admission: { owner, payer }, head, only }, body)) as Awaited<Reply<typeof ROUTES.mcp>>;
}
