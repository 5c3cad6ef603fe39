import type { CallToolResult } from '@modelcontextprotocol/server';
import type { SessionHandle } from '../../../client/sdk/session.ts';
import { frameOf, outlineOf } from '../outline.ts';
import { type Content, READS, text, tool } from '../tool.ts';

interface Given {
  readonly want?: 'outline' | 'picture' | 'both';
  /** The frame that the caller has. */
  readonly since?: number;
  readonly settled?: boolean;
}

export const look = tool<Given>({
  name: 'look',
  description:
    "See the screen: an outline with refs (default), a JPEG, or both. With since, only 'unchanged' if that frame still stands.",
  properties: {
    want: { enum: ['outline', 'picture', 'both'] },
    since: { type: 'integer', description: 'Frame you have' },
    settled: { type: 'boolean', description: 'Picture waits for a still screen' },
  },
  annotations: READS,
  scope: 'device',
  async run({ given: { want = 'outline', since, settled = false }, session, signal }): Promise<CallToolResult> {
    const phone = await session();
    const outline = want === 'picture' && since === undefined ? undefined : await outlineOf(phone, signal);
    if (since !== undefined && outline !== undefined && frameOf(outline) === since) {
      return { content: [text(`frame ${since} unchanged`)] };
    }
    const isBlind = outline === undefined && want !== 'picture';
    const content: Content[] = [];
    if (isBlind)
      content.push(text('This phone does not tell its elements: use coordinates, fractions of the picture.'));
    else if (outline !== undefined && want !== 'picture') content.push(text(outline));
    if (want !== 'outline' || isBlind) content.push(await pictureOf(phone, settled, signal));
    return { content };
  },
});

async function pictureOf(session: SessionHandle, settled: boolean, signal: AbortSignal): Promise<Content> {
  const jpeg = await session.picture({ settled, signal });
  return { type: 'image', data: Buffer.from(jpeg).toString('base64'), mimeType: 'image/jpeg' };
}
