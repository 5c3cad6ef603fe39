/**
 * An origin as browsers write it in `Origin`: lower case, without the scheme's own port. Origins are compared as text, so
 * another spelling of the same one would never match. `undefined` for what no browser can have.
 */
export function canonicalOrigin(text: string): string | undefined {
  try {
    return new URL(text).origin;
  } catch {
    return undefined;
  }
}
