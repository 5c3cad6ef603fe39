import { DevicePool } from '../../../server/host/device-pool.ts';
import { H264Encoder } from '../../../server/host/stream/h264-encoder.ts';
import { LazyAbort } from '../../../server/link/lazy-abort.ts';
import { ScriptedDevice } from '../../support/scripted-device.ts';
import { sourceOf } from '../../support/scripted-host.ts';
import { painted } from './captures.ts';

/** A process of its own, for limits that hold for a whole process: records noise until the recording ends by itself. */

// As the server does.
process.on('SIGXFSZ', () => undefined);

const [folder = '.', headroomBytes = '0'] = process.argv.slice(2);
const device = new ScriptedDevice();
device.picture = painted(0, [1, 2, 3]);
const pool = new DevicePool(
  sourceOf(async () => device),
  { createEncoder: async (profile) => new H264Encoder(profile) },
);
const ask = (question: object) =>
  pool.answer({ call: 1, device: 1, ...question } as never, new LazyAbort(), () => undefined);
const order = {
  partFile: `${folder}/one.part.mp4`,
  journalFile: `${folder}/one.journal`,
  maxDurationMs: 60_000,
  headroomBytes: Number(headroomBytes),
};
pool.onRecordingEnded((_, ending) => {
  process.stdout.write(JSON.stringify(ending));
  process.exit();
});
await ask({ kind: 'open', options: { platform: 'ios' } });
await ask({ kind: 'startRecording', recording: 1, order });
process.stderr.write('begun\n');
let version = 0;
setInterval(() => {
  const picture = painted(++version, [0, 0, 0]);
  for (let at = 0; at < picture.pixels.length; at++) picture.pixels[at] = (at * (version + 13) * 7919) % 253;
  device.show(picture);
}, 20);
