import { type Static, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import { oneOf } from './compile-check.ts';
import { LOCALE_PATTERN } from './locale.ts';

export const APPEARANCES = ['light', 'dark'] as const;
export const NETWORKS = ['online', 'offline'] as const;
export type Network = (typeof NETWORKS)[number];

/** What a device writes dates and numbers by, and its own texts if it has them in that language. */
export const LOCALE = Type.String({
  pattern: LOCALE_PATTERN,
  maxLength: 12,
  description: 'Language, script and region of the system, as BCP 47 has them',
  examples: ['de-DE'],
});

const rate = (description: string) =>
  Type.Integer({
    minimum: ACTION_LIMITS.networkKbps.min,
    maximum: ACTION_LIMITS.networkKbps.max,
    description,
    examples: [400],
  });

/** What makes a network slow, each by its name; 0 where it does not. */
export const NETWORK_LIMIT_VALUES = {
  downlinkKbps: rate('Kilobits a second that its apps receive at most; 0 is no limit'),
  uplinkKbps: rate('Kilobits a second that its apps send at most; 0 is no limit'),
  networkDelayMs: Type.Integer({
    minimum: ACTION_LIMITS.networkDelayMs.min,
    maximum: ACTION_LIMITS.networkDelayMs.max,
    description: 'Milliseconds that an answer takes longer',
    examples: [200],
  }),
  networkLossPercent: Type.Number({
    minimum: ACTION_LIMITS.networkLossPercent.min,
    maximum: ACTION_LIMITS.networkLossPercent.max,
    description: 'Percent of packets that get lost',
    examples: [1],
  }),
};

/** Settings of a device that a request may change and that its answer tells. */
export const DEVICE_SETTINGS = {
  appearance: Type.Optional(oneOf(APPEARANCES, { description: 'Whether the system and its apps are dark' })),
  locale: Type.Optional(LOCALE),
  textScale: Type.Optional(
    Type.Number({
      minimum: ACTION_LIMITS.textScale.min,
      maximum: ACTION_LIMITS.textScale.max,
      description: 'Size of text, as a multiple of the usual one; a device with a few sizes takes the nearest',
      examples: [1.3],
    }),
  ),
  animations: Type.Optional(Type.Boolean({ description: 'Whether the system moves what it shows' })),
  network: Type.Optional(oneOf(NETWORKS, { description: 'Whether its apps reach anything' })),
  downlinkKbps: Type.Optional(NETWORK_LIMIT_VALUES.downlinkKbps),
  uplinkKbps: Type.Optional(NETWORK_LIMIT_VALUES.uplinkKbps),
  networkDelayMs: Type.Optional(NETWORK_LIMIT_VALUES.networkDelayMs),
  networkLossPercent: Type.Optional(NETWORK_LIMIT_VALUES.networkLossPercent),
};

/** What is in force; a field is absent where the device does not tell, or tells something that is no value of it. */
const DeviceSettings = Type.Object(DEVICE_SETTINGS);
export type DeviceSettings = Static<typeof DeviceSettings>;
