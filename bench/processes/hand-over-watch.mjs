import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service before its own code. In its screen packets, the time of the capture is replaced by that of the hand-over:
 * the moment at which the gateway thread has the encoded picture and writes the picture's part of the header, once for all viewers.
 * The header itself tells the hand-over in whole milliseconds, which is longer than the way that is measured. The function is
 * replaced in the prototype, because the service runs as a bundle, whose parts cannot be replaced.
 */
const SCREEN_PACKET = 0x01;
const TIME_AT = 16;
/** The last field of the picture's part. */
const HEIGHT_AT = 26;

if (isMainThread) {
  const { setUint16, setBigUint64 } = DataView.prototype;
  DataView.prototype.setUint16 = function (at, value, isLittleEndian) {
    setUint16.call(this, at, value, isLittleEndian);
    if (at !== HEIGHT_AT || this.getUint8(0) !== SCREEN_PACKET) return;
    const nowUs = Math.round((performance.timeOrigin + performance.now()) * 1_000);
    setBigUint64.call(this, TIME_AT, BigInt(nowUs), true);
  };
}
