import { setTimeout as sleep } from 'node:timers/promises';
import type { CrowdFigures, CrowdOrder, SeenBy } from '../viewers/job.ts';
import type { ViewerTarget } from '../viewers/viewer.ts';
import { Child, type ChildOptions } from './child.ts';

/** Ten thousand sockets connect within some seconds; after this time something hangs. */
const ORDER_MS_MAX = 45_000;

/** The core to which the process is bound, if any, and whether it gets only idle processor time. */
export type CrowdPlace = Pick<ChildOptions, 'core' | 'yields'>;

/** The process of the viewers, one crowd at a time. */
export class CrowdProcess {
  readonly #child: Child;

  constructor(place: CrowdPlace = {}) {
    this.#child = new Child({ name: 'crowd process', file: 'bench/viewers/main.ts', ...place });
  }

  /** Opens a crowd, spread evenly over its targets; resolves when every viewer is connected and sees its screen. */
  async open(targets: ViewerTarget | readonly ViewerTarget[], viewers: number): Promise<void> {
    await this.#order({ kind: 'open', targets: 'host' in targets ? [targets] : targets, viewers });
  }

  async join(viewers: number): Promise<void> {
    await this.#order({ kind: 'join', viewers });
  }

  async begin(): Promise<void> {
    await this.#order({ kind: 'begin' });
  }

  async end(): Promise<CrowdFigures> {
    const figures = await this.#order({ kind: 'end' });
    if (!figures) throw new Error('the crowd gave no figures');
    return figures;
  }

  /**
   * Measures what the viewers receive in this time. If they receive nothing because the machine stalls, it is extended until
   * they do, so that every figure rests on a picture. Throws if a viewer was disconnected or missed a packet number.
   * @param by the viewers that must have received a picture; `nobody` if the screen may be still
   */
  async measure(ms: number, by: 'nobody' | SeenBy = 'somebody'): Promise<CrowdFigures> {
    await this.begin();
    await sleep(ms);
    if (by !== 'nobody') await this.#order({ kind: 'seen', by });
    return this.end();
  }

  async close(): Promise<void> {
    await this.#order({ kind: 'close' });
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  #order(order: CrowdOrder): Promise<CrowdFigures | undefined> {
    return this.#child.order(order, ORDER_MS_MAX);
  }
}
