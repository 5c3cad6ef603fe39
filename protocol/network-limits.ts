/** The settings that make a network slow, each 0 where it does not. Without a schema, so that devices can name what they lack. */
export const NETWORK_LIMITS = ['downlinkKbps', 'uplinkKbps', 'networkDelayMs', 'networkLossPercent'] as const;
export type NetworkLimit = (typeof NETWORK_LIMITS)[number];
