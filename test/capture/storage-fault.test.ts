import { constants } from 'node:os';
import { FFmpegError } from 'node-av/lib';
import t from 'tap';
import { storageFault } from '../../server/capture/storage-fault.ts';
import { RecordingFault } from '../../server/link/recording-fault.ts';

const { errno } = constants;

t.test('full disks, quotas and sizes are one story; everything else is another', async (t) => {
  const nodeError = (name: keyof typeof errno) =>
    Object.assign(new Error(`${name}: /secret/place`), { code: name, errno: -errno[name] });
  for (const name of ['ENOSPC', 'EDQUOT', 'EFBIG'] as const) {
    t.match(storageFault(nodeError(name), 'capture'), { code: 'storage_full', stage: 'capture', retryable: true });
    t.match(storageFault(new FFmpegError(-errno[name]), 'capture'), { code: 'storage_full' });
  }
  for (const name of ['EIO', 'EROFS', 'EACCES', 'ENOENT'] as const) {
    t.match(storageFault(nodeError(name), 'finalize'), { code: 'storage_error', stage: 'finalize', retryable: true });
    t.match(storageFault(new FFmpegError(-errno[name]), 'capture'), { code: 'storage_error' });
  }
  for (const odd of [undefined, null, 'text', new Error('none'), { code: 'ENOSPC' }]) {
    t.match(storageFault(odd, 'capture'), { code: 'storage_error' });
  }
});

t.test('a fault that is known already stays what it is, and no fault names a file', async (t) => {
  const known = new RecordingFault({ stage: 'verify', code: 'container_invalid', message: 'no', retryable: false });
  t.equal(storageFault(known, 'capture'), known);
  t.notMatch(storageFault(new Error('/secret/place'), 'capture').message, /secret/);
});
