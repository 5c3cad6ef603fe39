import t from 'tap';
import { SCREEN_BUFFERED_BYTES_MAX } from '../../server/screen/flow-control.ts';
import { ScreenStage } from '../support/screen-stage.ts';
import { toggleWindows } from '../support/toggled-windows.ts';

/** More than any JPEG of the virtual phone's display at this quality. */
const PACKET_BYTES_MAX = 400_000;
const JPEG = { encodings: ['jpeg'], quality: 95 };

const stage = await ScreenStage.open(t);

t.test('no byte of a picture is lost, doubled or mixed up, however windows open and close', async (t) => {
  await stage.startMotion();
  const { bytes, bufferedBytesMax, compared, different, faults } = await toggleWindows(stage, JPEG, {
    viewers: 8,
    pictures: 1_500,
  });
  t.same(faults, [], 'packets came whole and in order');
  t.equal(different, 0);
  t.ok(compared > 500, `${compared} pictures were compared, ${(bytes / 1e6).toFixed()} MB came`);
  t.ok(bufferedBytesMax > 0, 'the kernel took no more at times');
  const boundBytes = SCREEN_BUFFERED_BYTES_MAX + PACKET_BYTES_MAX;
  t.ok(bufferedBytesMax <= boundBytes, `${bufferedBytesMax} bytes waited for one viewer at most`);
});
