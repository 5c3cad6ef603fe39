import { platformCapabilities } from '@runcloud/protocol';
import type { Device, DeviceOptions } from '../../server/device/driver.ts';
import { type Clock, systemClock } from '../../server/flow/clock.ts';
import { DevicePool, type DeviceSource } from '../../server/host/device-pool.ts';
import { HostLink } from '../../server/link/host-link.ts';
import { serveHost } from '../../server/link/host-side.ts';
import { RemoteDevice } from '../../server/link/remote-device.ts';
import { type PortPair, portPair } from './port-pair.ts';
import { DESCRIPTOR, ScriptedDevice } from './scripted-device.ts';

export interface ScriptedHost {
  readonly pair: PortPair;
  readonly link: HostLink;
  readonly scripted: ScriptedDevice;
  readonly device: RemoteDevice;
}

/** Devices that are made when they are opened, as virtual ones are. */
export function sourceOf(open: (options: DeviceOptions) => Promise<Device>): DeviceSource {
  return {
    diagnose: async () => [],
    discover: async () => [],
    makeReady: async () => DESCRIPTOR,
    open,
  };
}

/** A pair of ports with a host on its far end that opens `create()`. */
export function hostedPair(create: () => Promise<Device>, clock: Clock = systemClock): PortPair {
  const pair = portPair();
  serveHost(pair.host, new DevicePool(sourceOf(create), { clock }));
  return pair;
}

/** A scripted device of iOS, opened as device 1 behind a link. */
export async function openScriptedHost(): Promise<ScriptedHost> {
  const scripted = new ScriptedDevice();
  scripted.capabilities = platformCapabilities('ios');
  const pair = hostedPair(async () => scripted);
  const link = new HostLink(pair.gateway);
  const device = await RemoteDevice.open(link, 1, { platform: 'ios' });
  return { pair, link, scripted, device };
}
