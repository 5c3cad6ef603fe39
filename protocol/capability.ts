import type { InteractionRequest } from './interactions/request.ts';
import { LOCK_KEYS } from './keys.ts';
import { CAPABILITIES, type Platform } from './platforms.ts';

/**
 * Why `platform` cannot carry out a valid request, as a sentence that names the action and the platform and, where a
 * choice exists, what is supported; `undefined` when it can (specification, section 2.8).
 */
export function unsupportedReason(request: InteractionRequest, platform: Platform): string | undefined {
  const can = CAPABILITIES[platform];
  switch (request.action) {
    case 'rotate':
      return can.orientations.includes(request.orientation)
        ? undefined
        : `"rotate" to "${request.orientation}" is not supported on ${platform}; supported orientations: ${can.orientations.join(', ')}.`;
    case 'pressButton':
      return can.buttons.includes(request.button)
        ? undefined
        : `"pressButton" of "${request.button}" is not supported on ${platform}; supported buttons: ${can.buttons.join(', ')}.`;
    case 'pressKey':
      return can.lockKeys || !LOCK_KEYS.includes(request.key)
        ? undefined
        : `"pressKey" of "${request.key}" is not supported on ${platform}.`;
    case 'setRenderDebug':
      return can.renderOptions.includes(request.option)
        ? undefined
        : `"setRenderDebug" of "${request.option}" is not supported on ${platform}.`;
    case 'rotateDigitalCrown':
      return can.digitalCrown ? undefined : `"rotateDigitalCrown" is not supported on ${platform}.`;
    default:
      return undefined;
  }
}
