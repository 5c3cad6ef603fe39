import t from 'tap';
import { uploadLarge } from '../support/large-upload.ts';

/** Memory of another process is read from `/proc`. */
const options = { skip: process.platform === 'linux' ? false : 'NO /proc: memory is NOT watched' };

const GIB = 2 ** 30;
/** Maximum memory for data between the socket, the disk and the garbage collector; much less than the body. */
const GROWN_BYTES_MAX = 128 * 2 ** 20;

t.test('1 GiB is taken chunked in flat memory, and described', options, async (t) => {
  const { status, asset, byteSize, grownBytes, filesAfterDelete } = await uploadLarge(GIB, 'chunked');
  t.comment(`grown by ${Math.round(grownBytes / 2 ** 20)} MiB`);
  t.equal(status, 201);
  t.match(asset, { name: 'Demo', byteSize });
  t.ok(byteSize > GIB);
  t.ok(grownBytes < GROWN_BYTES_MAX, `${grownBytes} bytes`);
  t.same(filesAfterDelete, []);
});

t.test('the longest body that a Content-Length can name is taken in flat memory', options, async (t) => {
  const { status, grownBytes } = await uploadLarge(999_900_000, 'length');
  t.equal(status, 201);
  t.ok(grownBytes < GROWN_BYTES_MAX, `${grownBytes} bytes`);
});

t.test('an app may be as large as 2 GiB', options, async (t) => {
  const { status, byteSize } = await uploadLarge(2 * GIB - 16_384, 'chunked');
  t.equal(status, 201);
  t.ok(byteSize <= 2 * GIB && byteSize > 2 * GIB - 16_384, `${byteSize} bytes`);
});
