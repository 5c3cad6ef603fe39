import { BandedJpeg } from '../../server/host/stream/banded-jpeg.ts';
import { HALVED_CHROMA } from '../../server/host/stream/chroma.ts';
import { QUALITY, SCREEN_SIZE } from '../photon/marked-screen.ts';
import { paintTap, pixels } from './bare-pixels.ts';
import { WHOLE } from './bare-screen-messages.ts';
import { answerTaps } from './bare-screen-worker.ts';

/** Makes a JPEG of the whole screen after each tap by the service's own encoder, which compresses the bands that have changed. */
const encoder = new BandedJpeg(SCREEN_SIZE, QUALITY, HALVED_CHROMA);

answerTaps((tap) => encoder.encode(pixels, tap.x === WHOLE ? undefined : paintTap(tap)));
