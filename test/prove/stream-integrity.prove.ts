import t from 'tap';
import { ScreenStage } from '../support/screen-stage.ts';
import { toggleWindows } from '../support/toggled-windows.ts';

/**
 * Very many packets of 16 KiB and more to viewers whose windows open and close at random: the size from which the socket
 * library takes its path for large messages. `PROVE_PACKETS` makes it shorter or longer.
 */
const PACKETS = Number(process.env.PROVE_PACKETS ?? 300_000);
/** Each claims 5,000 times a second to have read what it has not. */
const VIEWERS = 12;
const JPEG = { encodings: ['jpeg'], quality: 95 };

const stage = await ScreenStage.open(t);

t.test(`${PACKETS} packets: no byte is lost, doubled or mixed up`, { timeout: 3_500_000 }, async (t) => {
  await stage.startMotion();
  const { bytes, bufferedBytesMax, compared, different, faults } = await toggleWindows(stage, JPEG, {
    viewers: VIEWERS,
    pictures: PACKETS,
  });
  t.same(faults, []);
  t.equal(different, 0);
  t.ok(compared >= PACKETS * 0.5, `${compared} pictures were compared`);
  t.ok(bufferedBytesMax > 0, 'the kernel took no more at times');
  t.ok(bytes / PACKETS > 16_384, `${Math.round(bytes / PACKETS)} bytes each`);
});
