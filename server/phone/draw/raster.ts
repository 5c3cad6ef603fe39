import { type Command, isOpaque, type Layer } from './command.ts';
import { copySprite, fillDots, fillMask } from './copies.ts';
import { fillRect, fillRound, fillShadow } from './fills.ts';
import { copyScaled, scratchSurface } from './layer.ts';
import type { Mask } from './sprite.ts';
import type { Clip, Surface } from './surface.ts';
import { fillText } from './text.ts';

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
      const source = scratchSurface(width, height);
      drawCommands(source, { left: 0, top: 0, right: width, bottom: height }, commands);
      return copyScaled(surface, clip, command, source);
    }
  }
}
