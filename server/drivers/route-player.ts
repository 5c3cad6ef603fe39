import type { DeviceLocation, FieldsOf, RouteProgress } from '@runcloud/protocol';
import { type Clock, systemClock } from '../flow/clock.ts';
import { Route, rounded } from './route.ts';

/** As often as receivers of phones tell their place. */
const STEP_MS = 1_000;
const METRE_DIGITS = 2;

/** Tells a device where it is; a rejection ends the route. */
type Place = (location: DeviceLocation) => Promise<unknown> | undefined;

interface Journey {
  readonly route: Route;
  readonly speedMPerS: number;
  readonly startMs: number;
  /** Of the place that the device was told last. */
  doneM: number;
  state: RouteProgress['state'];
}

/**
 * Moves a device along routes, one at a time: once a second it tells it where it is by then. One that is slow to take a place
 * is told fewer of them, and is as far along as the speed says all the same.
 */
export class RoutePlayer {
  readonly #place: Place;
  readonly #moved: () => void;
  readonly #clock: Clock;
  #journey: Journey | undefined;
  #cancel: () => void = () => undefined;
  #placing: Promise<void> = Promise.resolve();

  /** @param moved called when `progress` has changed */
  constructor(place: Place, { clock = systemClock, moved = () => {} }: { clock?: Clock; moved?: () => void } = {}) {
    this.#place = place;
    this.#clock = clock;
    this.#moved = moved;
  }

  /** The route that was begun last; `undefined` after `stop`. */
  get progress(): RouteProgress | undefined {
    if (!this.#journey) return undefined;
    const { route, speedMPerS, doneM, state } = this.#journey;
    return { state, doneM: rounded(doneM, METRE_DIGITS), lengthM: route.lengthM, speedMPerS };
  }

  /** Where the route is, as it was told; `undefined` without one. */
  get location(): DeviceLocation | undefined {
    return this.#journey?.route.at(this.#journey.doneM);
  }

  /** Settles when the device has taken the first point; rejects as it does, and then there is no route. */
  async start({ points, speedMPerS }: FieldsOf<'followRoute'>): Promise<void> {
    await this.stop();
    const route = new Route(points);
    await this.#place(route.at(0));
    this.#journey = { route, speedMPerS, startMs: this.#clock.monotonicMs(), doneM: 0, state: 'moving' };
    this.#moved();
    this.#await(this.#journey);
  }

  /** Ends the route where it is. Once it settles, the device is told nothing more. */
  async stop(): Promise<void> {
    this.#cancel();
    this.#journey = undefined;
    this.#moved();
    await this.#placing;
  }

  #await(journey: Journey): void {
    this.#cancel = this.#clock.schedule(STEP_MS, () => {
      this.#placing = this.#step(journey);
    });
  }

  async #step(journey: Journey): Promise<void> {
    const { route, speedMPerS, startMs } = journey;
    const doneM = Math.min(route.lengthM, ((this.#clock.monotonicMs() - startMs) / 1_000) * speedMPerS);
    try {
      await this.#place(route.at(doneM));
      journey.doneM = doneM;
      if (doneM >= route.lengthM) journey.state = 'arrived';
    } catch {
      journey.state = 'failed';
    }
    if (this.#journey !== journey) return;
    this.#moved();
    if (journey.state === 'moving') this.#await(journey);
  }
}
