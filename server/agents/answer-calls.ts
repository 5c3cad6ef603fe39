import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AgentCall } from '../rest/mcp.ts';
import type { PlainReply } from '../translation/messages.ts';
import { type Answer, HERE } from '../translation/translator-side.ts';
import { createServer } from './create-server.ts';
import type { Ground } from './tool.ts';

/** Answers calls of the Model Context Protocol. It keeps nothing from one call to the next. */
export function answerCalls(version: string): Answer<AgentCall> {
  return async ({ headers, message, only }, cloud, signal) => {
    const ground: Ground = { cloud, only };
    const create = () => createServer(ground, version);
    const body = JSON.stringify(message);
    const request = new Request(`${HERE}/mcp`, { method: 'POST', headers, body, signal });
    if (!(await isLegacyRequest(request, message))) {
      // Nothing is ever told without being asked for, so that there is nothing to subscribe to.
      const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 });
      return plain(await handler.fetch(request, { parsedBody: message }));
    }
    const server = create();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await plain(await transport.handleRequest(request, { parsedBody: message }));
    } finally {
      await server.close();
    }
  };
}

async function plain(response: Response): Promise<PlainReply> {
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    headers: type === null ? {} : { 'Content-Type': type },
    body: await response.text(),
  };
}
