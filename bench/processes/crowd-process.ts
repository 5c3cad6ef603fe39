import { setTimeout as sleep } from 'node:timers/promises';
import type { CrowdFigures, CrowdOrder, SeenBy } from '../viewers/job.ts';
import type { ViewerTarget } from '../viewers/viewer.ts';
import { Child, type ChildOptions } from './child.ts';

/** Ten thousand sockets connect within some seconds; past this something hangs. */
const ORDER_MS_MAX = 45_000;

/** The core that it is bound to, the scheduler places it without; and whether it takes only time that nothing else wants. */
export type CrowdPlace = Pick<ChildOptions, 'core' | 'yields'>;

/** The process that viewers watch from, one crowd at a time. */
export class CrowdProcess {
  readonly #child: Child;

  constructor(place: CrowdPlace = {}) {
    this.#child = new Child({ name: 'crowd process', file: 'bench/viewers/main.ts', ...place });
  }

  /** Opens a crowd, spread evenly over its targets; resolves when every viewer is there, and sees the screen it asked for. */
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
   * What the viewers see in this time. One in which they saw nothing, because the machine stood still, goes on until they
   * have seen a picture: no figure then stands on nothing. Throws when one of them was disconnected or missed a number.
   * @param by whose picture is waited for; nobody's where the screen may be still
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
