import { type Command, isOpaque, type Kept, type KeptPicture, type Layer, type Turn } from './command.ts';
import { copySprite, fillDots, fillMask } from './copies.ts';
import { damageBetween } from './damage.ts';
import { fillRect, fillRound, fillShadow } from './fills.ts';
import { copyScaled } from './layer.ts';
import type { Mask } from './sprite.ts';
import { type Clip, Surface } from './surface.ts';
import { fillText } from './text.ts';
import { fillTurned } from './turn.ts';

/**
 * Draws the commands inside the clip, from the lowest one that is visible there. All arithmetic is on whole pixels, so a
 * part that is drawn alone equals the same part of the whole picture.
 */
export function drawCommands(surface: Surface, clip: Clip, commands: readonly Command[]): void {
  for (let index = lowestVisible(clip, commands); index < commands.length; index++) {
    const command = commands[index];
    if (!command) continue;
    const left = Math.max(clip.left, command.left);
    const top = Math.max(clip.top, command.top);
    const right = Math.min(clip.right, command.right);
    const bottom = Math.min(clip.bottom, command.bottom);
    if (left < right && top < bottom) drawCommand(surface, { left, top, right, bottom }, command);
  }
}

/** Index of the highest command that hides everything below it throughout the clip. */
function lowestVisible(clip: Clip, commands: readonly Command[]): number {
  for (let index = commands.length - 1; index > 0; index--) {
    const command = commands[index];
    if (!command || command.left > clip.left || command.top > clip.top) continue;
    if (command.right >= clip.right && command.bottom >= clip.bottom && isOpaque(command)) return index;
  }
  return 0;
}

function drawCommand(surface: Surface, clip: Clip, command: Command): void {
  switch (command.kind) {
    case 'rect':
      return fillRect(surface, clip, command);
    case 'round':
      return fillRound(surface, clip, command);
    case 'shadow':
      return fillShadow(surface, clip, command);
    case 'text':
      return fillText(surface, clip, command);
    case 'sprite':
      return copySprite(surface, clip, command);
    case 'mask':
      return fillMask(surface, clip, command.content as Mask, command.x, command.y, command.colour);
    case 'dots':
      return fillDots(surface, clip, command);
    case 'layer': {
      const { commands, width, height } = command.content as Layer;
      return copyScaled(surface, clip, command, sharedPicture(commands, width, height));
    }
    case 'turn': {
      const { before, after } = command.content as Turn;
      return fillTurned(surface, clip, command, drawn(before), drawn(after));
    }
  }
}

/** The pixels of a picture, brought up to date. */
function drawn({ commands, width, height, kept }: KeptPicture): Surface {
  kept.surface ??= new Surface(width, height);
  const whole = [{ left: 0, top: 0, right: width, bottom: height }];
  for (const clip of kept.shown ? damageBetween(kept.shown, commands) : whole) {
    drawCommands(kept.surface, clip, commands);
  }
  kept.shown = commands;
  return kept.surface;
}

let memory = new Uint32Array();
let shared: Kept = {};

/**
 * The pixels of a picture, valid until the next call. What moves is the same picture step by step, of which only the changes are
 * drawn; one memory serves all phones of the thread, which are seldom on the move at the same time.
 */
export function sharedPicture(commands: readonly Command[], width: number, height: number): Surface {
  if (shared.surface?.width !== width || shared.surface.height !== height) {
    if (memory.length < width * height) memory = new Uint32Array(width * height);
    shared = { surface: new Surface(width, height, memory.subarray(0, width * height)) };
  }
  return drawn({ commands, width, height, kept: shared });
}
