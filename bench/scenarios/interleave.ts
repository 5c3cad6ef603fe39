/**
 * Measures items in turns (A B C, A B C, ...), so that a machine that is slow for a while affects all of them.
 *
 * @param measure measures one item in one round; round 0 is a warm-up whose figures are discarded
 * @returns the figures of rounds 1 to `rounds` of each item, in the order of items
 */
export async function interleave<Item, Figures>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<Figures>,
): Promise<Figures[][]> {
  const found: Figures[][] = items.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, item] of items.entries()) {
      const figures = await measure(item, round);
      if (round > 0) found[at]?.push(figures);
    }
  }
  return found;
}
