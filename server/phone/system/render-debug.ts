import type { RenderOption } from '@runcloud/protocol';
import { colour } from '../draw/colour.ts';
import { isOpaque } from '../draw/command.ts';
import type { Inspector } from '../draw/scene.ts';

/** Tints of the iOS simulator's debug menu. */
const OPAQUE = colour(0x00c800, 0.3);
const BLENDED = colour(0xff0000, 0.3);
const COPIED = colour(0x00e5e5, 0.4);
const STRETCHED = colour(0xffe000, 0.45);
const MISPLACED = colour(0xe000e0, 0.4);
const OFFSCREEN = colour(0xffd400, 0.4);

/** Tints each command as the enabled options require; `undefined` if no option is enabled. */
export function renderDebug(options: ReadonlySet<RenderOption>): Inspector | undefined {
  const colouring = [...options].some((option) => option !== 'slowAnimations');
  if (!colouring) return undefined;
  return (scene, command, role) => {
    if (options.has('colorBlendedLayers')) scene.tint(command, isOpaque(command) ? OPAQUE : BLENDED);
    if (options.has('colorCopiedImages') && role !== 'plain') scene.tint(command, COPIED);
    if (options.has('colorMisalignedImages') && role === 'icon') {
      scene.tint(command, command.kind === 'sprite' ? STRETCHED : MISPLACED);
    }
    if (options.has('colorOffscreenRendered') && (command.kind === 'shadow' || command.kind === 'round')) {
      scene.tint(command, OFFSCREEN);
    }
  };
}
