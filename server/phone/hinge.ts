import type { Hinge } from './environment.ts';

/** The hinge of a phone, as its apps have it; absent on a phone with one display. */
export function hingeOf(
  displays: readonly { readonly name: string }[],
  active: () => string | undefined,
  fold: Hinge['fold'],
): Hinge | undefined {
  const folded = displays[1];
  if (!folded) return undefined;
  return {
    get folded() {
      return active() === folded.name;
    },
    fold,
  };
}
