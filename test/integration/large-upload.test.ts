import t from 'tap';
import { uploadLarge } from '../support/large-upload.ts';

/** Memory of another process is read from `/proc`. */
const options = { skip: process.platform === 'linux' ? false : 'NO /proc: memory is NOT watched' };

/** Maximum memory for data between the socket, the disk and the garbage collector; much less than the body. */
const GROWN_BYTES_MAX = 128 * 2 ** 20;

for (const coding of ['length', 'chunked'] as const) {
  t.test(`a large app is taken in memory that does not grow with it (${coding})`, options, async (t) => {
    const { status, asset, byteSize, grownBytes, filesAfterDelete } = await uploadLarge(256 << 20, coding);
    t.comment(`grown by ${Math.round(grownBytes / 2 ** 20)} MiB`);
    t.equal(status, 201);
    t.match(asset, { platform: 'ios', name: 'Demo', byteSize });
    t.ok(grownBytes < GROWN_BYTES_MAX, `${grownBytes} bytes`);
    t.same(filesAfterDelete, []);
  });
}
