import { SCREEN_HEADER_BYTES, SCREEN_PACKET_KIND } from '@runcloud/protocol/terms';
import type { FanOutPattern } from './fan-out-pattern.ts';

/** Place of a packet's number, and of its time, in a screen packet's header. */
export const SEQ_AT = 8;
const TIME_AT = 16;

/**
 * Makes the packets of a pattern at its rate, each with its number and the time of its hand-over in the place of its capture.
 *
 * @param send gets a packet whose memory is that of the next one, too
 */
export function handOverPackets({ sizes, perSecond }: FanOutPattern, send: (packet: Buffer) => void): void {
  const memory = Buffer.alloc(Math.max(SCREEN_HEADER_BYTES, ...sizes));
  memory[0] = SCREEN_PACKET_KIND;
  const startMs = performance.now();
  let sent = 0;
  const sendNext = () => {
    const packet = memory.subarray(0, Math.max(SCREEN_HEADER_BYTES, sizes[sent % sizes.length] ?? 0));
    packet.writeUInt32LE(++sent, SEQ_AT);
    packet.writeBigUInt64LE(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000)), TIME_AT);
    send(packet);
    // Planned from the start time, so that late timers do not lower the rate. Packets missed in a pause are not sent later.
    const nextMs = startMs + (sent * 1_000) / perSecond;
    setTimeout(sendNext, Math.max(0, nextMs - performance.now()));
  };
  sendNext();
}
