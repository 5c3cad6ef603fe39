import type { Rect } from '../../device/driver.ts';
import type { Pixel } from '../geometry.ts';
import type { Font } from '../text/font.ts';
import { alphaOf, type Colour } from './colour.ts';
import type { Command, CommandKind, Dots, Layer, Turn } from './command.ts';
import type { CornerShape } from './corner.ts';
import type { NodeFacts, NodeTree } from './node-tree.ts';
import type { Mask, Sprite } from './sprite.ts';
import type { Clip } from './surface.ts';

export type Align = 'left' | 'centre' | 'right';

/** Called for each command as it is added, with its role. */
export type Inspector = (scene: Scene, command: Command, role: Role) => void;

/** The kind of content that a command draws, by which the render options choose its tint. */
export type Role = 'plain' | 'image' | 'icon';

const DEFAULTS = { colour: 0, amount: 0, shape: 'round', content: undefined, text: '' } as const;

/**
 * Everything on the phone draws by adding commands, in whole pixels, to a scene. It paints no pixels, so it costs only a few
 * microseconds; it is discarded with its frame.
 */
export class Scene {
  readonly commands: Command[] = [];
  readonly #inspector: Inspector | undefined;
  /** Collects the nodes, where somebody wants to know what the picture means. */
  readonly #tree: NodeTree | undefined;
  #inspecting = false;
  #x = 0;
  #y = 0;
  #clip: Clip;

  constructor(width: number, height: number, inspector?: Inspector, tree?: NodeTree) {
    this.#clip = { left: 0, top: 0, right: width, bottom: height };
    this.#inspector = inspector;
    this.#tree = tree;
  }

  /** Draws with the origin at the area's top left corner, and only inside the area. */
  within(area: Rect, draw: () => void): void {
    const outer = { x: this.#x, y: this.#y, clip: this.#clip };
    this.#x += area.x;
    this.#y += area.y;
    this.#clip = {
      left: Math.max(outer.clip.left, this.#x),
      top: Math.max(outer.clip.top, this.#y),
      right: Math.min(outer.clip.right, this.#x + area.width),
      bottom: Math.min(outer.clip.bottom, this.#y + area.height),
    };
    draw();
    this.#x = outer.x;
    this.#y = outer.y;
    this.#clip = outer.clip;
  }

  /**
   * Declares what an area is, and draws it: the nodes that are declared meanwhile are within it. What is drawn and what is told of
   * it stand in one place, so that they cannot differ.
   */
  node(facts: NodeFacts, area: Rect, draw?: () => void): void {
    if (!this.#tree) return draw?.();
    this.#tree.begin(facts, this.#visible(area), { x: area.x + this.#x, y: area.y + this.#y });
    draw?.();
    this.#tree.end();
  }

  rect(area: Rect, colour: Colour): void {
    this.#add('rect', area, { colour });
  }

  /** A rectangle with rounded corners; a radius above half the shorter side makes a pill. */
  round(area: Rect, radius: number, colour: Colour, shape: CornerShape = 'round'): void {
    const fitting = Math.floor(Math.min(radius, area.width / 2, area.height / 2));
    this.#add('round', area, { colour, amount: fitting, shape });
  }

  circle(middle: Pixel, radius: number, colour: Colour): void {
    this.round({ x: middle.x - radius, y: middle.y - radius, width: radius * 2, height: radius * 2 }, radius, colour);
  }

  /** The soft shadow of `area`, `blur` pixels wide and moved down by `drop`. */
  shadow(area: Rect, blur: number, drop: number, colour: Colour): void {
    const { x, y, width, height } = area;
    const soft = { x: x - blur, y: y - blur + drop, width: width + 2 * blur, height: height + 2 * blur };
    this.#add('shadow', soft, { colour, amount: blur });
  }

  /** The same without the part below `hidden`, which would cost the most of a large shadow and is covered. */
  shadowAround(area: Rect, blur: number, drop: number, colour: Colour, hidden: Rect): void {
    const top = area.y - blur + drop;
    const [left, right] = [area.x - blur, area.x + area.width + blur];
    const bottom = area.y + area.height + blur + drop;
    const [innerRight, innerBottom] = [hidden.x + hidden.width, hidden.y + hidden.height];
    const strips = [
      { x: left, y: top, width: right - left, height: hidden.y - top },
      { x: left, y: hidden.y, width: hidden.x - left, height: hidden.height },
      { x: innerRight, y: hidden.y, width: right - innerRight, height: hidden.height },
      { x: left, y: innerBottom, width: right - left, height: bottom - innerBottom },
    ];
    for (const strip of strips) {
      this.within(strip, () => this.shadow({ ...area, x: area.x - strip.x, y: area.y - strip.y }, blur, drop, colour));
    }
  }

  /** One line of text; (x, baseline) is its left end, middle or right end, according to `align`. */
  text(text: string, x: number, baseline: number, font: Font, colour: Colour, align: Align = 'left'): void {
    if (text === '') return;
    this.#add('text', textArea(text, x, baseline, font, align), { colour, content: font, text });
  }

  /** A line of text that is a node of its own. @param facts besides its name, which is the text, and its role, `text` */
  label(
    text: string,
    x: number,
    baseline: number,
    font: Font,
    colour: Colour,
    align: Align = 'left',
    facts: Partial<NodeFacts> = {},
  ): void {
    this.text(text, x, baseline, font, colour, align);
    if (text === '' || !this.#tree) return;
    this.node({ role: 'text', name: text, ...facts }, textArea(text, x, baseline, font, align));
  }

  sprite(sprite: Sprite, x: number, y: number, role: Role = 'image', alpha = 1): void {
    const area = { x, y, width: sprite.width, height: sprite.height };
    this.#add('sprite', area, { content: sprite, amount: Math.round(alpha * 255) }, role);
  }

  mask(mask: Mask, x: number, y: number, colour: Colour): void {
    this.#add('mask', { x, y, width: mask.width, height: mask.height }, { colour, content: mask }, 'icon');
  }

  /** A symbol, centred on a point. */
  symbol(mask: Mask, middle: Pixel, colour: Colour): void {
    this.mask(mask, Math.round(middle.x - mask.width / 2), Math.round(middle.y - mask.height / 2), colour);
  }

  /** Dots at places relative to the origin; `bounds` contains all of them. */
  dots(dots: Dots, bounds: Rect, colour: Colour): void {
    const { left, top, right, bottom } = this.#visible(bounds);
    if (left >= right || top >= bottom) return;
    const at = { x: this.#x, y: this.#y, width: bounds.width, height: bounds.height };
    this.commands.push({ kind: 'dots', left, top, right, bottom, ...at, ...DEFAULTS, colour, content: dots });
  }

  /** A scene of its own size scaled into `area`; `alpha` from 0 to 1. */
  layer(layer: Layer, area: Rect, alpha: number): void {
    this.#add('layer', area, { content: layer, amount: Math.round(alpha * 255) });
  }

  /** Two pictures that turn, over the whole scene; `alpha` of the first one, from 0 to 1. */
  turn(turn: Turn, alpha: number): void {
    const { left, top, right, bottom } = this.#clip;
    const area = { x: left, y: top, width: right - left, height: bottom - top };
    this.#add('turn', area, { content: turn, amount: Math.round(alpha * 255) });
  }

  #visible(area: Rect): Clip {
    const left = area.x + this.#x;
    const top = area.y + this.#y;
    return {
      left: Math.max(this.#clip.left, left),
      top: Math.max(this.#clip.top, top),
      right: Math.min(this.#clip.right, left + area.width),
      bottom: Math.min(this.#clip.bottom, top + area.height),
    };
  }

  #add(kind: CommandKind, area: Rect, look: Partial<Command>, role: Role = 'plain'): void {
    const { left, top, right, bottom } = this.#visible(area);
    if (left >= right || top >= bottom) return;
    const command: Command = {
      kind,
      left,
      top,
      right,
      bottom,
      x: area.x + this.#x,
      y: area.y + this.#y,
      width: area.width,
      height: area.height,
      colour: look.colour ?? DEFAULTS.colour,
      amount: look.amount ?? DEFAULTS.amount,
      shape: look.shape ?? DEFAULTS.shape,
      content: look.content,
      text: look.text ?? DEFAULTS.text,
    };
    if ((kind === 'rect' || kind === 'round') && alphaOf(command.colour) === 0) return;
    this.commands.push(command);
    if (this.#inspector && !this.#inspecting) {
      this.#inspecting = true;
      this.#inspector(this, command, role);
      this.#inspecting = false;
    }
  }

  /** Tints the visible part of a command, for the render options. */
  tint(command: Command, colour: Colour): void {
    const { left, top, right, bottom } = command;
    const area = { x: left - this.#x, y: top - this.#y, width: right - left, height: bottom - top };
    this.rect(area, colour);
  }
}

function textArea(text: string, x: number, baseline: number, font: Font, align: Align): Rect {
  const width = font.width(text);
  const start = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  return {
    x: Math.round(start) - font.padding,
    y: Math.round(baseline) - font.ascent,
    width: Math.ceil(width) + font.padding * 2 + 1,
    height: font.height,
  };
}
