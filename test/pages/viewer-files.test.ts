import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { type FileRequest, ViewerFiles } from '../../server/pages/viewer-files.ts';

const asking = (ifNoneMatch?: string, acceptEncoding?: string): FileRequest => ({
  header: (name) => (name === 'if-none-match' ? ifNoneMatch : name === 'accept-encoding' ? acceptEncoding : undefined),
});

/** Files whose builds the test ends, and the entries that were built. */
function filesOf(contents = 'let a;') {
  const built: string[] = [];
  const files = new ViewerFiles(async (entry) => {
    built.push(entry);
    return Buffer.from(contents);
  });
  return { files, built };
}

t.test('every file has its type, is asked for again each time, and is never guessed at', async (t) => {
  const { files, built } = filesOf();
  const types = { 'app.js': 'text/javascript', 'embed.js': 'text/javascript', 'style.css': 'text/css' };
  for (const [name, type] of Object.entries(types)) {
    t.match(
      await files.serve(name, asking()),
      {
        status: 200,
        body: Buffer.from('let a;'),
        headers: {
          'Content-Type': `${type}; charset=utf-8`,
          'Cache-Control': 'no-cache',
          'X-Content-Type-Options': 'nosniff',
          ETag: /^"[\w-]{43}"$/,
        },
      },
      name,
    );
  }
  t.strictSame(built, ['client/viewer/main.ts', 'client/embed/index.ts', 'client/viewer/style.css']);
});

t.test('only the script for embedding pages may be loaded by pages of other origins', async (t) => {
  const { files } = filesOf();
  for (const name of ['app.js', 'style.css', 'embed.js']) {
    const { headers = {} } = await files.serve(name, asking());
    t.equal(headers['Access-Control-Allow-Origin'], name === 'embed.js' ? '*' : undefined, name);
  }
});

t.test('a file is built once, however many ask at once, and not before the first does', async (t) => {
  const { files, built } = filesOf();
  t.strictSame(built, []);
  await Promise.all(Array.from({ length: 50 }, () => files.serve('app.js', asking())));
  await files.serve('app.js', asking());
  t.strictSame(built, ['client/viewer/main.ts']);
});

t.test('a file that the browser has already is not sent again', async (t) => {
  const { files } = filesOf();
  const { headers = {} } = await files.serve('app.js', asking());
  const { ETag = '' } = headers;
  for (const header of [ETag, `"other", ${ETag}`, `W/${ETag}`, '*']) {
    t.match(await files.serve('app.js', asking(header)), { status: 304, headers, body: '' }, header);
  }
  for (const header of ['"other"', ETag.slice(1, -1), `${ETag.slice(0, -1)}x"`, '']) {
    t.equal((await files.serve('app.js', asking(header))).status, 200, header);
  }
  const other = await filesOf('let b;').files.serve('app.js', asking(ETag));
  t.equal(other.status, 200, 'another script has another tag');
});

t.test('any other name is not found', async (t) => {
  const { files, built } = filesOf();
  for (const name of ['', 'main.ts', 'app.js.map', '..', '%2e%2e', 'App.js', '__proto__', 'constructor']) {
    t.throws(() => files.serve(name, asking()), new ServiceError('not_found'), name);
  }
  t.strictSame(built, []);
});

t.test('a build that fails is refused each time, and tried again a while later', async (t) => {
  let builds = 0;
  let nowMs = 0;
  const files = new ViewerFiles(
    async () => {
      builds += 1;
      if (builds < 3) throw new Error('no memory');
      return Buffer.from('let a;');
    },
    () => nowMs,
  );
  for (const wanted of [1, 2]) {
    for (let n = 0; n < 3; n += 1) await t.rejects(files.serve('app.js', asking()), { message: 'no memory' });
    t.equal(builds, wanted, 'who asks again at once begins no build');
    nowMs += 5_000;
  }
  for (let n = 0; n < 3; n += 1) t.match(await files.serve('app.js', asking()), { status: 200 });
  nowMs += 3_600_000;
  t.match(await files.serve('app.js', asking()), { status: 200 });
  t.equal(builds, 3, 'what was built is kept');
});

t.test('a file is sent in the smallest form that the browser takes, each under a tag of its own', async (t) => {
  const script = 'let a;'.repeat(1_000);
  const { files, built } = filesOf(script);
  const tags = new Set<string>();
  for (const [accept, coding, read] of [
    [undefined, undefined, (body: Uint8Array) => body],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
    ['br;q=0.000, deflate', undefined, (body: Uint8Array) => body],
  ] as const) {
    const { body, headers = {} } = await files.serve('app.js', asking(undefined, accept));
    t.equal(headers['Content-Encoding'], coding, String(accept));
    t.equal(headers.Vary, 'Accept-Encoding');
    t.equal(Buffer.from(read(body as Uint8Array)).toString(), script);
    t.ok(coding === undefined || body.length < 100, `${body.length} bytes`);
    tags.add(headers.ETag ?? '');
    t.match(await files.serve('app.js', asking(headers.ETag, accept)), { status: 304, headers });
  }
  t.equal(tags.size, 3);
  t.strictSame(built, ['client/viewer/main.ts'], 'and built once for all');
});
