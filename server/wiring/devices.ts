import { availableParallelism } from 'node:os';
import type { Platform } from '@runcloud/protocol';
import { HostPool } from '../link/host-pool.ts';
import { gatewayRows } from '../link/input-rows.ts';
import { VIRTUAL_MODELS, VIRTUAL_VARIANTS } from '../phone/models.ts';
import { DeviceFinder } from '../session/device-finder.ts';
import { Leases } from '../session/leases.ts';
import type { Foundation } from './foundation.ts';

export type DeviceBlock = Awaited<ReturnType<typeof openDevices>>;

/** Starts the device hosts and looks for the devices that the settings offer. Resolves after the first look. */
export async function openDevices({ settings, logger, clock, own, onFault, startThread }: Foundation) {
  const spawnHost = () => gatewayRows(startThread('host', 'host/boot.mjs'));
  const hosts = new HostPool(Math.max(1, availableParallelism() - 1), spawnHost, { onFault, log: logger });
  own(() => hosts.close());
  const scopeOf = (platform: Platform) => ({ openUrl: settings.openUrl.includes(platform) });
  const stocks = settings.devices.flatMap((offer) =>
    offer.driver === 'virtual'
      ? [
          {
            ...offer,
            descriptor: offer.variant ? VIRTUAL_VARIANTS[offer.variant].descriptor : VIRTUAL_MODELS[offer.platform],
            scope: scopeOf(offer.platform),
          },
        ]
      : [],
  );
  const leases = new Leases(stocks, hosts, {
    clock,
    onHealth: ({ deviceId, descriptor: { driver, model }, healthy }, reason) => {
      if (healthy) logger.info({ deviceId, driver, model }, 'the device is ready');
      else logger.warn({ deviceId, driver, model, reason }, 'the device cannot be offered');
    },
  });
  own(() => leases.close());
  const finder = new DeviceFinder({
    queries: settings.devices.flatMap((offer) =>
      offer.driver === 'virtual' ? [] : [{ ...offer, tools: settings.tools }],
    ),
    ask: (query) => hosts.link(0).link.ask('discover', 0, { query }).answered,
    onFound: ({ platform, target, descriptor }) => {
      leases.add({ platform, target, descriptor, count: 1, scope: scopeOf(platform) });
    },
    clock,
  });
  own(() => finder.close());
  await finder.begin();
  return {
    leases,
    diagnose: () => hosts.link(0).link.ask('diagnose', 0, { tools: settings.tools }).answered,
  };
}
