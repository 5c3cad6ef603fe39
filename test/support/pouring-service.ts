import type { ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { startScriptedHttp } from './scripted-http.ts';

/** A service whose every answer goes on without an end; `poured.bytes` is how much of it was taken. */
export async function startPouringService(t: Test, status: number, headers: Readonly<Record<string, string>>) {
  const piece = Buffer.alloc(65_536, '[');
  const poured = { bytes: 0 };
  const pour = (response: ServerResponse): void => {
    if (response.destroyed) return;
    poured.bytes += piece.length;
    // A piece is longer than what may wait, so that the next one is written when this one was taken.
    response.write(piece);
    response.once('drain', () => pour(response));
  };
  const service = await startScriptedHttp(t, (_request, response) => {
    response.writeHead(status, headers);
    pour(response);
  });
  return { url: service.url, poured, seen: service.seen };
}
