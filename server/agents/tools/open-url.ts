import { ACTS, said, tool } from '../tool.ts';

export const openUrl = tool<{ url: string }>({
  name: 'open_url',
  description: 'Open an https URL in the browser, or a deep link in its app.',
  properties: { url: { type: 'string', maxLength: 4096 } },
  required: ['url'],
  annotations: { ...ACTS, openWorldHint: true },
  // The route takes none.
  takesRequestId: false,
  scope: 'device',
  async run({ given: { url }, session, signal }) {
    await (await session()).openUrl(url, { signal });
    return said('opened');
  },
});
