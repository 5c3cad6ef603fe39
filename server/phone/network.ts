import type { NetworkLimit } from '@runcloud/protocol/terms';

/** What makes the network slow; 0 where nothing does. */
export type NetworkLimits = Readonly<Record<NetworkLimit, number>>;

export const NO_LIMITS: NetworkLimits = { downlinkKbps: 0, uplinkKbps: 0, networkDelayMs: 0, networkLossPercent: 0 };

/** A page with its pictures, as it comes over the network. */
const PAGE_BYTES = 250_000;
const REQUEST_BYTES = 1_000;
/** A connection is made, and then the page is asked for. */
const ROUND_TRIPS = 2;
/** Full packets of TCP in Ethernet. */
const PACKET_BYTES = 1_460;
/** As many packets are on their way at once (RFC 6928). */
const WINDOW_PACKETS = 10;
/** A window in which something was lost is waited for again, for as long as Linux waits at least. */
const REPAIR_MS = 200;
/** A browser waits no longer for a page. */
export const PATIENCE_MS = 30_000;

export const isLimited = (limits: NetworkLimits): boolean => Object.values(limits).some((value) => value > 0);

/** How long a page takes to come, as it would on average; `Infinity` where nothing comes through. */
export function loadMs({ downlinkKbps, uplinkKbps, networkDelayMs, networkLossPercent }: NetworkLimits): number {
  const kept = 1 - networkLossPercent / 100;
  if (kept <= 0) return Number.POSITIVE_INFINITY;
  // A kilobit a second is a bit a millisecond. What is lost is sent again.
  const sentMs = (bytes: number, kbps: number) => (kbps === 0 ? 0 : (bytes * 8) / (kbps * kept));
  const windows = ROUND_TRIPS + PAGE_BYTES / PACKET_BYTES / WINDOW_PACKETS;
  const repairs = windows * (1 - kept ** WINDOW_PACKETS);
  return (
    ROUND_TRIPS * networkDelayMs +
    sentMs(REQUEST_BYTES, uplinkKbps) +
    sentMs(PAGE_BYTES, downlinkKbps) +
    repairs * (REPAIR_MS + networkDelayMs)
  );
}

/** For people. */
export function limitsText({ downlinkKbps, uplinkKbps, networkDelayMs, networkLossPercent }: NetworkLimits): string {
  return [
    ...(downlinkKbps > 0 ? [`${downlinkKbps} kbit/s down`] : []),
    ...(uplinkKbps > 0 ? [`${uplinkKbps} kbit/s up`] : []),
    ...(networkDelayMs > 0 ? [`${networkDelayMs} ms late`] : []),
    ...(networkLossPercent > 0 ? [`${networkLossPercent} % lost`] : []),
  ].join(', ');
}
