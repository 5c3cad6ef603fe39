/**
 * The reason why this Node.js is too old for the service; `undefined` if it is not.
 * @param version such as `v20.14.0`
 * @param range `engines.node` of a package, which begins with the oldest supported version, such as `>=20.15`
 */
export function nodeFault(version: string, range: string): string | undefined {
  const [, major = 0, minor = 0] = /^v(\d+)\.(\d+)\./.exec(version) ?? [];
  const [, needed = '', majorMin = 0, minorMin = 0] = /^>=((\d+)\.(\d+))/.exec(range) ?? [];
  const isOlder =
    Number(major) < Number(majorMin) || (Number(major) === Number(majorMin) && Number(minor) < Number(minorMin));
  return isOlder ? `Node.js ${version} is too old: ${needed} or newer is needed` : undefined;
}
