import uWS from 'uWebSockets.js';

/**
 * The native socket library, or no start at all: on a Node.js that its binaries do not know, the package silently puts
 * a slow stand-in with other semantics in its place.
 */
export function nativeSockets(): typeof uWS {
  const isNative = Function.prototype.toString.call(uWS.App).includes('[native code]');
  if (!isNative) {
    throw new Error(
      `no native uWebSockets.js for Node.js ${process.version} on ${process.platform}-${process.arch}: use Node.js 20, without UWS_USE_FALLBACK`,
    );
  }
  return uWS;
}
