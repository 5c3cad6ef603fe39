/** Waits until something holds, looking ever more seldom; rejects with what was waited for if it does not within half a minute. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waitMs = 10; waitMs < 10_000; waitMs *= 1.5) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  throw new Error(`waited for ${what}`);
}
