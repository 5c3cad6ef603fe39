import type { Point, UiFrame, UiNode } from '@runcloud/protocol';
import { element } from '../../page/element.ts';
import { pointIn } from '../input/points.ts';
import { wordsOf } from './words.ts';

export interface OverlayParts {
  /** The pointer is at a place of the screen, or has left it. */
  readonly hovered: (point: Point | undefined) => void;
  readonly clicked: (point: Point) => void;
}

/** A pane over the screen: it takes the pointer, so that nothing is tapped, and shows the frame and the name of one element. */
export class Overlay {
  readonly #box = element('i', { class: 'inspected' });
  readonly #label = element('span', { class: 'inspected-label' });
  readonly element = element('div', { class: 'inspect', 'aria-hidden': 'true', hidden: true }, this.#box, this.#label);

  constructor({ hovered, clicked }: OverlayParts) {
    const pane = this.element;
    const at = ({ clientX, clientY }: MouseEvent): Point => pointIn(pane.getBoundingClientRect(), clientX, clientY);
    // The wheel alone goes on to the screen: what is out of sight can still be scrolled to.
    for (const name of ['pointerdown', 'pointerup', 'contextmenu'] as const) {
      pane.addEventListener(name, (event) => event.stopPropagation());
    }
    pane.addEventListener('contextmenu', (event) => event.preventDefault());
    pane.addEventListener('pointermove', (event) => {
      event.stopPropagation();
      hovered(at(event));
    });
    pane.addEventListener('pointerleave', () => hovered(undefined));
    pane.addEventListener('click', (event) => {
      event.stopPropagation();
      clicked(at(event));
    });
    this.show(undefined);
  }

  show(node: UiNode | undefined): void {
    const box = this.#box;
    const label = this.#label;
    box.hidden = node === undefined;
    label.hidden = node === undefined;
    if (node === undefined) return;
    const { frame } = node;
    place(box, { left: frame.x, top: frame.y, width: frame.width, height: frame.height });
    label.textContent = wordsOf(node);
    place(label, besides(frame));
  }
}

const EDGES = ['left', 'right', 'top', 'bottom', 'width', 'height', 'maxWidth'] as const;
type Place = Readonly<Partial<Record<(typeof EDGES)[number], number>>>;

function place({ style }: HTMLElement, wanted: Place): void {
  for (const edge of EDGES) {
    const share = wanted[edge];
    style[edge] = share === undefined ? '' : `${share * 100}%`;
  }
}

/** Room for a label, as a share of the height. */
const LABEL_ROOM = 0.05;

/** Above the element, else below it, else at its own top; never past an edge of the screen. */
function besides({ x, y, width, height }: UiFrame): Place {
  const across = x + width / 2 <= 0.5 ? { left: x, maxWidth: 1 - x } : { right: 1 - x - width, maxWidth: x + width };
  if (y >= LABEL_ROOM) return { ...across, bottom: 1 - y };
  return { ...across, top: y + height <= 1 - LABEL_ROOM ? y + height : y };
}
