import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { timestampNow } from '../../server/flow/timestamp.ts';
import type { Downloads } from '../../server/recording/downloads.ts';
import { etagOf } from '../../server/recording/recording-record.ts';
import { retrieve } from '../../server/rest/retrieval.ts';
import type { HttpReply } from '../../server/socket/http.ts';
import { FakeClock } from '../support/fake-clock.ts';

const sha256 = 'ab'.repeat(32);
const ETAG = etagOf(sha256);
const CONTENT = Buffer.from(Array.from({ length: 40 }, (_, at) => at));

interface Asked {
  readonly method: 'GET' | 'HEAD';
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The answer of a server with single ranges according to RFC 9110, sections 13.2.2, 14.2 and 15.5.17, in that order. */
function expected({ method, range, ifRange, ifNoneMatch }: Asked): { status: number; bytes: Buffer } {
  const none = Buffer.alloc(0);
  const opaque = (tag: string) => tag.trim().replace('W/', '');
  if (ifNoneMatch === '*' || ifNoneMatch?.split(',').some((tag) => opaque(tag) === ETAG)) {
    return { status: 304, bytes: none };
  }
  const whole = { status: 200, bytes: CONTENT };
  if (method === 'HEAD' || range === undefined) return whole;
  if (ifRange !== undefined && ifRange !== ETAG) return whole;
  const parts = /^bytes=(\d*)-(\d*)$/.exec(range);
  if (!parts || (parts[1] === '' && parts[2] === '')) return whole;
  const size = CONTENT.length;
  if (parts[1] === '') {
    const length = Math.min(size, Number(parts[2]));
    return length === 0 ? { status: 416, bytes: none } : { status: 206, bytes: CONTENT.subarray(size - length) };
  }
  const [first, last] = [Number(parts[1]), parts[2] === '' ? size - 1 : Number(parts[2])];
  if (parts[2] !== '' && last < first) return whole;
  return first >= size ? { status: 416, bytes: none } : { status: 206, bytes: CONTENT.subarray(first, last + 1) };
}

async function bytesOf({ file, body }: HttpReply): Promise<Buffer> {
  if (!file) return Buffer.from(body);
  const bytes = Buffer.alloc(file.byteLength);
  for (let at = 0; at < bytes.length; ) at += await file.read(bytes.subarray(at, at + 7), at);
  return bytes;
}

const place = fc.oneof(fc.nat(60).map(String), fc.constant(''));
const range = fc.oneof(
  fc.tuple(place, place).map(([first, last]) => `bytes=${first}-${last}`),
  fc.constantFrom(undefined, 'bytes=0-1,3-4', 'lines=1-2', 'bytes=x-', 'bytes'),
);
const tag = fc.constantFrom(undefined, ETAG, `W/${ETAG}`, '"other"', `"other", ${ETAG}`);
const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET' as const, 'GET' as const, 'HEAD' as const),
  range,
  ifRange: fc.oneof(tag, fc.constant('Fri, 20 Nov 2026 22:00:00 GMT')),
  ifNoneMatch: fc.oneof(fc.constant(undefined), tag, fc.constant('*')),
});

t.test('every answer is the one that RFC 9110 gives, and no file stays open', async (t) => {
  const path = join(t.testdir(), 'file');
  await writeFile(path, CONTENT);
  let opened = 0;
  let closed = 0;
  const downloads: Pick<Downloads, 'retrieve'> = {
    retrieve: async () => {
      const handle = await open(path);
      opened++;
      const close = handle.close.bind(handle);
      handle.close = () => {
        closed++;
        return close();
      };
      return { handle, byteSize: CONTENT.length, sha256 };
    },
  };
  const clock = new FakeClock();
  const statuses = new Set<number>();
  const property = fc.asyncProperty(asked, async (request) => {
    const { method, ...conditions } = request;
    const headers: Readonly<Record<string, string | undefined>> = {
      range: conditions.range,
      'if-range': conditions.ifRange,
      'if-none-match': conditions.ifNoneMatch,
    };
    const query = 'reference=x';
    const header = (name: string) => headers[name];
    const onGone = () => undefined;
    const head = { method, path: '/retrieve/rec_1', query, address: '127.0.0.1', network: '127.0.0.1', header, onGone };
    const call = { head, params: { recordingId: 'rec_1' }, secret: 'x', received: timestampNow(clock), named: {} };
    const reply = await retrieve(call, { downloads: downloads as Downloads, clock });
    const { status, bytes } = expected(request);
    statuses.add(status);
    if (reply.status !== status) throw new Error(`the answer is ${reply.status}, and not ${status}`);
    if (status !== 416 && Buffer.compare(await bytesOf(reply), bytes) !== 0) throw new Error('these are other bytes');
    const { ETag: etag, 'Content-Range': contentRange } = reply.headers ?? {};
    if (status !== 416 && etag !== ETAG) throw new Error('it has no entity tag');
    const first = bytes[0] ?? 0;
    if (status === 206 && contentRange !== `bytes ${first}-${first + bytes.length - 1}/${CONTENT.length}`) {
      throw new Error(`Content-Range is ${contentRange}`);
    }
    if (status === 416 && contentRange !== `bytes */${CONTENT.length}`) throw new Error(`it is ${contentRange}`);
    if (status < 206 && contentRange !== undefined) throw new Error('the whole file has no range');
    reply.file?.close();
  });
  await t.resolves(fc.assert(property, { numRuns: 2_000 }));
  t.strictSame([...statuses].sort(), [200, 206, 304, 416]);
  t.equal(closed, opened);
});
