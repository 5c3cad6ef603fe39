import type { Font } from '../text/font.ts';
import type { Colour } from './colour.ts';
import type { CornerShape } from './corner.ts';
import type { Mask, Sprite } from './sprite.ts';
import type { Surface } from './surface.ts';

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

/** The pixels of a picture that is needed again and again, of which only the changes are drawn. */
export interface Kept {
  surface?: Surface;
  /** The commands that its pixels show. */
  shown?: readonly Command[];
}

/** A picture with its pixels. */
export interface KeptPicture {
  readonly commands: readonly Command[];
  readonly width: number;
  readonly height: number;
  readonly kept: Kept;
}

/** Two pictures that turn about the middle as one, the first of which fades out. */
export interface Turn {
  readonly before: KeptPicture;
  readonly after: KeptPicture;
  /** Clockwise, in radians. */
  readonly angle: number;
  /** The size that both are stretched to. */
  readonly width: number;
  readonly height: number;
}

export type CommandKind = 'rect' | 'round' | 'shadow' | 'text' | 'sprite' | 'mask' | 'dots' | 'layer' | 'turn';

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
  /** Radius of corners, blur of a shadow or alpha of a sprite, a layer or the first picture of a turn (0 to 255). */
  readonly amount: number;
  readonly shape: CornerShape;
  readonly content: Font | Sprite | Mask | Dots | Layer | Turn | undefined;
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
  if (command.kind === 'layer') return command.amount === 255 && (command.content as Layer).radius === 0;
  if (command.kind !== 'sprite' || command.amount < 255) return false;
  const { opaqueFrom, opaqueTo, height } = command.content as Sprite;
  return opaqueFrom === 0 && opaqueTo === height;
}
