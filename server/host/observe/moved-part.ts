import type { Rect } from '../../device/driver.ts';
import type { UiLook } from '../ui/ui-frames.ts';
import { barsOf, mayBeBar, mayBeCaret, timesOf } from './restless.ts';
import type { Sight } from './sight.ts';

/**
 * The part of a picture that is different from an earlier one, if it cannot be what changes at any time on a screen that stands still: the
 * bars of the system, a time, a caret.
 * @param before what was on the screen at the earlier one, if the device tells
 * @param without further areas that are left out
 */
export function movedPart(
  earlier: Sight,
  now: Sight,
  before: UiLook | undefined,
  look: UiLook | undefined,
  without: readonly Rect[] = [],
): Rect | undefined {
  if (earlier.version === now.version) return undefined;
  const left = [...barsOf(before, now), ...timesOf(before, now), ...timesOf(look, now), ...without];
  const part = earlier.differing(now, left);
  if (!part || mayBeCaret(part, [before, look], now) || mayBeBar(part, look, now)) return undefined;
  return part;
}
