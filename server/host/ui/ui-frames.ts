import type { UiFormat, UiNode, UiOutline, UiTree } from '@runcloud/protocol';
import type { DeviceUi, UiScreen } from '../../device/ui.ts';
import { type BoundedNodes, bounded, cleanName } from './bounded.ts';
import { outline } from './outline.ts';

/** A screen as it was read, with its number. */
export interface UiReading extends BoundedNodes {
  readonly frame: number;
  readonly screen: UiScreen;
}

/**
 * Numbers what is read of one device's screen. A frame keeps its number while nothing on the screen changes; it expires before
 * the first possible effect of an input, and is never in force again.
 */
export class UiFrames {
  readonly #ui: DeviceUi;
  #count = 0;
  /** The newest frame, unless an input came after it: equal texts are equal screens, except for the bars of the system. */
  #inForce: string | undefined;

  constructor(ui: DeviceUi) {
    this.#ui = ui;
  }

  /** An input is about to reach the device. */
  expire(): void {
    this.#inForce = undefined;
  }

  /** The frame that refs can be used of, where there is one, and the newest number. */
  get inForce(): { readonly frame: number | undefined; readonly newest: number } {
    return { frame: this.#inForce === undefined ? undefined : this.#count, newest: this.#count };
  }

  /** Reads the screen. A source that answers at once is read at once. */
  read(signal: AbortSignal): UiReading | Promise<UiReading> {
    const screen = this.#ui.read(signal);
    return screen instanceof Promise ? screen.then((read) => this.#number(read)) : this.#number(screen);
  }

  #number(screen: UiScreen): UiReading {
    const nodes = bounded(screen);
    const { nodes: _nodes, ...facts } = screen;
    const text = JSON.stringify([facts, withoutSystem(nodes.nodes)]);
    if (this.#inForce !== text) this.#count++;
    this.#inForce = text;
    return { ...nodes, frame: this.#count, screen };
  }
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
