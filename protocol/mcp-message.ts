import { type Static, Type } from '@sinclair/typebox';
import { compileCheck } from './compile-check.ts';
import type { Checked } from './fault.ts';

/** One message of the Model Context Protocol; what else it says is that protocol's. */
export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0', { description: 'Version of JSON-RPC' }),
    id: Type.Optional(Type.Unknown({ description: 'Absent in a notification', examples: [1] })),
    method: Type.Optional(Type.String({ description: 'Method of the protocol', examples: ['tools/list'] })),
    params: Type.Optional(Type.Unknown({ description: 'Its parameters', examples: [{}] })),
  },
  { $id: 'McpMessage', description: 'One JSON-RPC message' },
);
export type McpMessage = Static<typeof McpMessage>;

const check = compileCheck(McpMessage);

export function checkMcpMessage(value: unknown): Checked<McpMessage> {
  const refused = check(value);
  return refused ? { ok: false, fault: refused } : { ok: true, value: value as McpMessage };
}
