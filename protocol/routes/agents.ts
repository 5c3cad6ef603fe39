import { checkMcpMessage, McpMessage } from '../mcp-message.ts';
import { jsonBody, post } from './parts.ts';
import type { Route } from './route.ts';

const REFUSAL = { description: 'A JSON-RPC error, or why the request failed', mediaType: 'application/json' } as const;

/** For language models that use phones. */
export const AGENT_ROUTES = {
  mcp: {
    ...post('/mcp', 'Call the Model Context Protocol', 'none'),
    description:
      'The Streamable HTTP transport of MCP, without sessions of its own: each call stands for itself, and the tools name the session ' +
      "they act in. The bearer is an API key, or the token of a session's address or of a viewer link, which can do only what it " +
      'opens: look with the role `view`, and act with the role `control`.',
    credential: 'keyOrSessionToken',
    role: 'account',
    body: jsonBody(McpMessage, checkMcpMessage),
    answers: {
      200: { description: 'The JSON-RPC response', mediaType: 'application/json', otherType: 'text/event-stream' },
      202: { description: 'A notification was taken' },
      400: REFUSAL,
      404: REFUSAL,
      406: REFUSAL,
    },
  },
} as const satisfies Record<string, Route>;
