import type { UiFormat, UiNode, UiOutline, UiTree } from '@runcloud/protocol';
import type { DeviceUi, UiScreen } from '../../device/ui.ts';
import { type BoundedNodes, bounded, cleanName } from './bounded.ts';
import { outline } from './outline.ts';
import { SharedReads } from './shared-reads.ts';

/** A screen as it was read. */
export interface UiLook extends BoundedNodes {
  readonly screen: UiScreen;
  /** Equal texts are equal screens, except for the bars of the system. */
  readonly text: string;
  /** How many inputs had come when it was begun. */
  readonly inputs: number;
}

/** The same with its number. */
export interface UiReading extends UiLook {
  readonly frame: number;
}

/**
 * Reads one device's screen, and numbers what of it is told. A frame keeps its number while nothing on the screen changes; it expires
 * before the first possible effect of an input, and is never in force again.
 */
export class UiFrames {
  readonly #reads: SharedReads<UiLook>;
  #count = 0;
  #inputs = 0;
  #latest: UiLook | undefined;
  /** The text of the newest frame, unless an input came after it. */
  #inForce: string | undefined;

  constructor(ui: DeviceUi) {
    this.#reads = new SharedReads((signal) => {
      const inputs = this.#inputs;
      const screen = ui.read(signal);
      const keep = (read: UiScreen): UiLook => {
        this.#latest = lookAt(read, inputs);
        return this.#latest;
      };
      return screen instanceof Promise ? screen.then(keep) : keep(screen);
    });
  }

  /** An input is about to reach the device. */
  expire(): void {
    this.#inputs++;
    this.#inForce = undefined;
  }

  /** How many inputs have come. */
  get inputs(): number {
    return this.#inputs;
  }

  /** The frame that refs can be used of, where there is one, and the newest number. */
  get inForce(): { readonly frame: number | undefined; readonly newest: number } {
    return { frame: this.#inForce === undefined ? undefined : this.#count, newest: this.#count };
  }

  /** The last look at the screen, unless an input came after it. */
  get latest(): UiLook | undefined {
    return this.#latest?.inputs === this.#inputs ? this.#latest : undefined;
  }

  /** Reads the screen and numbers it. A source that answers at once is read at once. */
  read(signal: AbortSignal): UiReading | Promise<UiReading> {
    const look = this.look(signal);
    return look instanceof Promise ? look.then((read) => this.number(read)) : this.number(look);
  }

  /** Reads the screen without a number: what nobody is told ends no frame. */
  look(signal: AbortSignal): UiLook | Promise<UiLook> {
    return this.#reads.read(signal);
  }

  /** Numbers what was read. If an input came while it was read, its frame has expired. */
  number(look: UiLook): UiReading {
    if (this.#inForce !== look.text) this.#count++;
    this.#inForce = look.inputs === this.#inputs ? look.text : undefined;
    return { ...look, frame: this.#count };
  }
}

function lookAt(screen: UiScreen, inputs: number): UiLook {
  const nodes = bounded(screen);
  const { nodes: _nodes, ...facts } = screen;
  return { ...nodes, screen, inputs, text: JSON.stringify([facts, withoutSystem(nodes.nodes)]) };
}

const withoutSystem = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes
    .filter(({ system }) => !system)
    .map((node) => (node.children ? { ...node, children: withoutSystem(node.children) } : node));

/** A reading as callers get it. */
export function toldAs(reading: UiReading, format: UiFormat): UiTree | UiOutline {
  const { frame, nodes, nodeCount, truncated } = reading;
  const { screen, app, orientation, display, missing } = reading.screen;
  const facts = {
    frame,
    screen,
    ...(app === undefined ? {} : { app: cleanName(app) }),
    orientation,
    ...(display === undefined ? {} : { display }),
    nodeCount,
    ...(truncated ? ({ truncated: true } as const) : {}),
    ...(missing === undefined ? {} : { missing: [...missing] }),
  };
  return format === 'json' ? { ...facts, nodes } : { ...facts, outline: outline(nodes, facts) };
}
