import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { text, whole } from './fields.ts';
import { PLATFORMS } from './platforms.ts';

/** `away`: it has not been heard of for seconds; its sessions go on, and can be reached when it is back. */
export const HOST_STATES = ['here', 'away'] as const;

const HostDevices = Type.Object(
  {
    platform: oneOf(PLATFORMS, { description: 'Platform of the devices' }),
    model: text('Name of the model', 'Virtual iPhone'),
    osVersion: text('Version of the operating system', '1.0'),
    driver: text('What drives the devices', 'virtual'),
    total: whole('Devices of this kind', 4),
    free: whole('Those that a session could have now', 3),
  },
  { $id: 'HostDevices', additionalProperties: false },
);

const HostRecord = Type.Object(
  {
    name: text('Name of the host; a service alone is the host `local`', 'mac-1'),
    state: oneOf(HOST_STATES, { description: 'Whether it can be reached' }),
    isDraining: Type.Boolean({
      description: 'Whether no new session goes there, as the operator wants',
      examples: [false],
    }),
    sessions: whole('Sessions that have a device', 1),
    devices: Type.Array(HostDevices, { description: 'Its devices, by kind' }),
  },
  { $id: 'Host', additionalProperties: false },
);
export type HostRecord = Static<typeof HostRecord>;

/** The hosts of sessions; for the operator. */
export const HostList = Type.Object(
  { hosts: Type.Array(HostRecord, { description: 'By name' }) },
  { $id: 'HostList', additionalProperties: false },
);
export type HostList = Static<typeof HostList>;
