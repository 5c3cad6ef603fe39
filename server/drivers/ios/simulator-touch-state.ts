import type { Orientation } from '@runcloud/protocol';
import type { Point, PointerPhase } from '../../device/driver.ts';
import type { TouchSurface } from '../gesture-player.ts';
import type { SimulatorHelper } from './helper.ts';
import { type PanelSize, physicalPoint } from './physical-point.ts';

/** The fingers on one simulator. A gesture keeps the orientation that it began in, whatever the guest does meanwhile. */
export class SimulatorTouchState implements TouchSurface {
  readonly #helper: Pick<SimulatorHelper, 'touch'>;
  readonly #panel: PanelSize;
  readonly #orientation: () => Orientation;
  #began: Orientation | undefined;
  #down: readonly Point[] = [];

  constructor(helper: Pick<SimulatorHelper, 'touch'>, panel: PanelSize, orientation: () => Orientation) {
    this.#helper = helper;
    this.#panel = panel;
    this.#orientation = orientation;
  }

  touch(phase: PointerPhase, points: readonly Point[]): void {
    if (phase === 'cancel') return this.lift();
    if (phase === 'begin') {
      this.lift();
      this.#began = this.#orientation();
    }
    // Nothing is down: what is to move or to end was lifted before.
    if (this.#began === undefined) return;
    const orientation = this.#began;
    const physical = points.map((point) => physicalPoint(point, orientation, this.#panel));
    this.#down = phase === 'end' ? [] : physical;
    if (phase === 'end') this.#began = undefined;
    this.#helper.touch(phase, physical);
  }

  /** Where they are. A simulator knows no other end of a touch. */
  lift(): void {
    const points = this.#down;
    this.#down = [];
    this.#began = undefined;
    if (points.length > 0) this.#helper.touch('end', points);
  }
}
