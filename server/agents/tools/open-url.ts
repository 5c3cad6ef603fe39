import { ACTS, said, tool } from '../tool.ts';

export const openUrl = tool<{ url: string; requestId?: string }>({
  name: 'open_url',
  description: 'Open an https URL in the browser, or a deep link in its app.',
  properties: { url: { type: 'string', maxLength: 4096 } },
  required: ['url'],
  annotations: { ...ACTS, openWorldHint: true },
  scope: 'device',
  async run({ given: { url, requestId }, session, signal }) {
    await (await session()).openUrl(url, { signal, requestId });
    return said('opened');
  },
});
