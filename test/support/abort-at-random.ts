import type { SessionRecord } from '@runcloud/protocol';
import type { RestClient } from './rest-client.ts';
import { requestText, Wire } from './wire.ts';

const AT_ONCE = 25;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes `count` requests and leaves each: before its body, in it, while the answer is made, or while it arrives. */
export async function abortAtRandom(rest: RestClient, { platform, id }: SessionRecord, count: number): Promise<void> {
  const home = `/service/${platform}/${id}`;
  const headers = { Authorization: rest.authorization, 'Content-Type': 'application/json' };
  const swipe = { action: 'swipe', from: { x: 0.5, y: 0.2 }, to: { x: 0.5, y: 0.8 }, durationMs: 50 };
  const body = (fields: object) => requestText(`POST ${home}/interactions`, headers, JSON.stringify(fields));
  const kinds = [
    () => requestText(`GET ${home}/screenshot`, headers),
    () => body({ action: 'tap', x: Math.random(), y: Math.random() }),
    () => body(swipe),
    () => requestText('GET /service/sessions', headers),
    () => requestText(`GET ${home}/control`, headers),
    () => requestText('GET /metrics'),
  ];
  const one = async (index: number): Promise<void> => {
    const text = kinds[index % kinds.length]?.() ?? '';
    const wire = await Wire.open(rest.url);
    // Half of them send only a part of the request.
    const sent = index % 2 === 0 ? text : text.slice(0, Math.ceil(Math.random() * text.length));
    await wire.write(sent);
    await sleep(Math.random() * 30);
    wire.drop(index % 3 === 0 ? 'finish' : 'reset');
    await wire.closed;
  };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
