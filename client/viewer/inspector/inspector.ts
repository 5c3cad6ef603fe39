import type { Point, UiNode, UiTree } from '@runcloud/protocol';
import { Emitter } from '../../core/emitter.ts';
import { button } from '../../page/button.ts';
import { copyText } from '../../page/copy-text.ts';
import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';
import { nodeAt } from './at-point.ts';
import { ElementList } from './element-list.ts';
import { type Means, meansOf, NOTATIONS, type Notation, written } from './notation.ts';
import { Overlay } from './overlay.ts';
import { TreeWatch } from './tree-watch.ts';

export interface InspectorParts {
  readonly viewer: Viewer;
  /** The element that covers the picture exactly. */
  readonly surface: HTMLElement;
  readonly say: (sentence: string) => void;
  /** Ends the mode for good, where the page outlives the picture. */
  readonly leaving?: AbortSignal;
}

/** An element that was chosen, for the page that asked. */
export type Chosen = Means & { readonly node: UiNode; readonly frame: number };

export interface InspectorEvents {
  /** Whether the mode is on. */
  readonly toggled: boolean;
  /** The page around this one turned the mode on, and an element was chosen. */
  readonly chosen: Chosen;
}

const NAMES: Readonly<Record<Notation, string>> = { sdk: 'SDK code', cli: 'Command line', json: 'JSON' };
const UNNAMED = 'No selector means this element: its position was copied.';

/**
 * A mode in which one points at elements of the screen, and taps nothing: the element under the pointer is framed and named, all are in
 * a list, and a click copies the selector by which programs find the element again.
 */
export class Inspector extends Emitter<InspectorEvents> {
  /** The list and what is told of one element; for a place beside the screen. */
  readonly panel = element('section', { class: 'inspector', 'aria-label': 'Elements of the screen', hidden: true });
  readonly #say: (sentence: string) => void;
  readonly #overlay: Overlay;
  readonly #list: ElementList;
  readonly #watch: TreeWatch;
  readonly #notation = element(
    'select',
    { 'aria-label': 'Copy as' },
    ...NOTATIONS.map((value) => element('option', { value }, NAMES[value])),
  );
  readonly #told = element('code', {});
  readonly #state = element('p', { class: 'quiet', role: 'status' });
  #tree: UiTree | undefined;
  #node: UiNode | undefined;
  /** Where the pointer is: the element there may be another one after a change. */
  #pointer: Point | undefined;
  #for: 'person' | 'page' | undefined;

  constructor({ viewer, surface, say, leaving }: InspectorParts) {
    super();
    this.#say = say;
    this.#overlay = new Overlay({
      hovered: (point) => this.#hovered(point),
      clicked: (point) => {
        this.#hovered(point);
        if (this.#node) this.#choose(this.#node);
      },
    });
    this.#list = new ElementList({ moved: (node) => this.#show(node), chosen: (node) => this.#choose(node) });
    this.#watch = new TreeWatch({
      read: () => viewer.readUi(),
      now: () => performance.now(),
      isSeen: () => document.visibilityState === 'visible' && viewer.state.kind === 'connected',
      told: (tree) => this.#read(tree),
      failed: (sentence) => {
        this.#state.textContent = sentence;
      },
    });
    surface.append(this.#overlay.element);
    this.panel.append(...this.#content());
    this.panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.toggle(false);
    });
    document.addEventListener('visibilitychange', () => this.#watch.resume(), leaving ? { signal: leaving } : {});
    leaving?.addEventListener('abort', () => this.toggle(false));
    viewer.on('ready', () => this.#watch.changed());
    // What was where belongs to another shape of the screen.
    viewer.on('orientation', () => {
      this.#read(undefined);
      this.#watch.changed();
    });
  }

  get isOn(): boolean {
    return this.#for !== undefined;
  }

  /**
   * Turns the mode on or off.
   * @param asker the page around this one is told what is chosen; a person has it copied
   */
  toggle(on = !this.isOn, asker: 'person' | 'page' = 'person'): void {
    const was = this.isOn;
    this.#for = on ? asker : undefined;
    this.panel.hidden = !on;
    this.#overlay.element.hidden = !on;
    if (on === was) return;
    this.#read(undefined);
    if (on) this.#watch.start();
    else this.#watch.stop();
    this.emit('toggled', on);
  }

  /** To be called for each picture. */
  pictured(): void {
    this.#watch.changed();
  }

  #content(): HTMLElement[] {
    const copy = button('Copy', () => this.#node && this.#choose(this.#node), { icon: 'copy' });
    const again = button('Refresh', () => this.#watch.changed());
    this.#notation.addEventListener('change', () => this.#tell());
    return [
      element('div', { class: 'inspector-head' }, element('h2', {}, 'Elements'), again),
      this.#state,
      this.#list.element,
      element('div', { class: 'inspector-told' }, this.#told),
      element('div', { class: 'inspector-head' }, this.#notation, copy),
    ];
  }

  #read(tree: UiTree | undefined): void {
    this.#state.textContent = tree === undefined ? 'Reading the screen…' : stateOf(tree);
    if (tree !== undefined && tree.frame === this.#tree?.frame) return;
    this.#tree = tree;
    this.#list.show(tree?.nodes ?? []);
    if (this.#pointer) this.#hovered(this.#pointer);
    else this.#show(this.#list.active);
  }

  #hovered(point: Point | undefined): void {
    this.#pointer = point;
    if (point === undefined) return this.#show(this.#list.active);
    const node = nodeAt(this.#tree?.nodes ?? [], point);
    if (node === this.#node) return;
    this.#list.point(node);
    this.#show(node);
  }

  #show(node: UiNode | undefined): void {
    this.#node = node;
    this.#overlay.show(node);
    this.#tell();
  }

  #tell(): void {
    const means = this.#means();
    this.#told.textContent = means ? written(means, this.#asked) : 'Point at an element, or choose one in the list.';
  }

  get #asked(): Notation {
    return this.#notation.value as Notation;
  }

  #means(): Means | undefined {
    return this.#tree && this.#node && meansOf(this.#tree.nodes, this.#node);
  }

  #choose(node: UiNode): void {
    this.#show(node);
    const means = this.#means();
    if (!means || !this.#tree) return;
    if (this.#for === 'page') return this.emit('chosen', { ...means, node, frame: this.#tree.frame });
    const text = written(means, this.#asked);
    void copyText(text, 'Selector').then((isCopied) => {
      if (isCopied) this.#say(means.target ? `Copied: ${text}` : UNNAMED);
    });
  }
}

function stateOf({ screen, nodeCount, truncated, app, missing = [] }: UiTree): string {
  if (screen === 'off') return 'The screen is off.';
  const facts = [app, `${nodeCount} elements`, truncated ? 'more were left out' : undefined];
  if (missing.length > 0) facts.push(`without ${missing.join(', ')}`);
  return facts.filter((fact) => fact !== undefined).join(' · ');
}
