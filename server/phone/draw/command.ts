import type { Font } from '../text/font.ts';
import type { Colour } from './colour.ts';
import type { CornerShape } from './corner.ts';
import type { Mask, Sprite } from './sprite.ts';

/** Dots of one size at many places, such as a part of a finger's trail. Immutable once it has been drawn. */
export interface Dots {
  readonly mask: Mask;
  /** Top left corners of the dots, x and y in turn. */
  readonly places: readonly number[];
}

/** A scene inside the scene, drawn at its own size and then scaled into place. */
export interface Layer {
  readonly commands: readonly Command[];
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

export type CommandKind = 'rect' | 'round' | 'shadow' | 'text' | 'sprite' | 'mask' | 'dots' | 'layer';

/**
 * One drawing command. A picture is a list of commands, and only the area of commands that two lists do not share has to be
 * drawn again. All kinds of commands have the same fields, so that comparing two of them is cheap.
 */
export interface Command {
  readonly kind: CommandKind;
  /** The visible part, in pixels of the picture; `right` and `bottom` are exclusive. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The position of the whole, including clipped parts. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: Colour;
  /** Radius of corners, blur of a shadow or alpha of a sprite (0 to 255). */
  readonly amount: number;
  readonly shape: CornerShape;
  readonly content: Font | Sprite | Mask | Dots | Layer | undefined;
  readonly text: string;
}

export function sameCommand(a: Command, b: Command): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.left === b.left &&
      a.top === b.top &&
      a.right === b.right &&
      a.bottom === b.bottom &&
      a.x === b.x &&
      a.y === b.y &&
      a.width === b.width &&
      a.height === b.height &&
      a.colour === b.colour &&
      a.amount === b.amount &&
      a.shape === b.shape &&
      a.content === b.content &&
      a.text === b.text)
  );
}

/** True when nothing below the command shows through its visible part. */
export function isOpaque(command: Command): boolean {
  if (command.kind === 'rect') return command.colour >>> 24 === 255;
  if (command.kind === 'sprite') return command.amount === 255 && (command.content as Sprite).opaque;
  return false;
}
