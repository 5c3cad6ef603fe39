import type { FieldsOf, ResultOf, RoutePoint } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../../device/fault.ts';
import { type Clock, systemClock } from '../../../flow/clock.ts';
import { RoutePlayer } from '../../route-player.ts';
import type { GuestLocation } from '../input-backend.ts';
import type { ControlClient } from './control-client.ts';
import type { GpsState } from './messages.ts';

/** As many as a fix in three dimensions needs. */
const SATELLITES = 4;

/** Where an emulator is, by its control service. */
export class EmulatorLocation implements GuestLocation {
  readonly #client: Pick<ControlClient, 'gps' | 'setGps'>;
  #before: GpsState | undefined;
  #isSet = false;
  readonly #route: RoutePlayer;

  constructor(client: Pick<ControlClient, 'gps' | 'setGps'>, clock: Clock = systemClock) {
    this.#client = client;
    this.#route = new RoutePlayer((location) => this.#put(location), { clock });
  }

  async begin(left: readonly string[], goesOn = false): Promise<readonly string[]> {
    const found = parsePlace(left);
    if (found && !goesOn) await this.#client.setGps(found);
    this.#isSet = goesOn;
    const before = found ?? (await this.#client.gps());
    this.#before = before;
    const { passiveUpdate, latitude, longitude, altitude } = before;
    return [passiveUpdate ? 1 : 0, latitude, longitude, altitude].map(String);
  }

  async set({ accuracyM, ...point }: FieldsOf<'setLocation'>): Promise<ResultOf<'readLocation'>> {
    if (accuracyM !== undefined) {
      throw new DeviceFault(
        'unsupported',
        '"accuracyM" is not supported by emulators: they give no accuracy to their guests.',
      );
    }
    await this.#route.stop();
    await this.#put(point);
    return this.told();
  }

  async follow(route: FieldsOf<'followRoute'>): Promise<ResultOf<'readLocation'>> {
    await this.#route.start(route);
    return this.told();
  }

  async clear(): Promise<ResultOf<'readLocation'>> {
    await this.#route.stop();
    if (this.#before && this.#isSet) await this.#client.setGps(this.#before);
    this.#isSet = false;
    return this.told();
  }

  async told(): Promise<ResultOf<'readLocation'>> {
    const { latitude, longitude, altitude } = await this.#client.gps();
    const route = this.#route.progress;
    return { location: { latitude, longitude, altitudeM: altitude }, readBack: true, ...(route ? { route } : {}) };
  }

  async #put({ latitude, longitude, altitudeM = 0 }: RoutePoint): Promise<void> {
    this.#isSet = true;
    await this.#client.setGps({
      // Otherwise the emulator's window sets it back, where there is one.
      passiveUpdate: false,
      latitude,
      longitude,
      altitude: altitudeM,
      satellites: SATELLITES,
    });
  }
}

/** A place as `begin` gave it; `undefined` for anything else. */
function parsePlace(words: readonly string[]): GpsState | undefined {
  const [passive, ...numbers] = words.map(Number);
  const [latitude = Number.NaN, longitude = Number.NaN, altitude = Number.NaN] = numbers;
  const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
    value >= min && value <= max;
  if (words.length !== 4 || !isWithin(latitude, LIMITS.latitude) || !isWithin(longitude, LIMITS.longitude))
    return undefined;
  if (!Number.isFinite(altitude)) return undefined;
  return { passiveUpdate: passive === 1, latitude, longitude, altitude, satellites: SATELLITES };
}
