import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CARD_PATH } from '../test-card/layout.ts';

/** The server of the test card, for the device's browser. */
export interface PageServer {
  readonly port: number;
  close(): Promise<void>;
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, user-scalable=no, interactive-widget=overlays-content">
<title>RunCloud test card</title>
<style>
  html, body { margin: 0; height: 100%; overflow: hidden; overscroll-behavior: none; background: #1b2640; }
  canvas { display: block; position: fixed; left: 0; top: 0; touch-action: none; image-rendering: pixelated; }
  textarea { position: fixed; left: 0; top: 0; width: 1px; height: 1px; border: 0; padding: 0; opacity: 0; font-size: 16px; }
  * { -webkit-user-select: none; user-select: none; -webkit-touch-callout: none; -webkit-tap-highlight-color: transparent; }
  textarea { -webkit-user-select: text; user-select: text; }
</style>
<canvas></canvas>
<textarea autocomplete="off" autocorrect="off" autocapitalize="off" spellcheck="false" inputmode="text"></textarea>
<script type="module" src="card.js"></script>
`;

/**
 * Serves the card, and nothing else.
 *
 * @param host address to listen on
 * @param script the bundle of `page/main.ts`
 */
export async function servePage(host: string, script: Uint8Array): Promise<PageServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    const found: readonly [string, string | Uint8Array] | undefined =
      path === CARD_PATH
        ? ['text/html; charset=utf-8', PAGE]
        : path === '/card.js'
          ? ['text/javascript; charset=utf-8', script]
          : undefined;
    if (!found) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': found[0], 'Cache-Control': 'no-store' }).end(found[1]);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
