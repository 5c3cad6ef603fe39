import uWS from 'uWebSockets.js';

/**
 * Loads the native socket library or fails the start: on an unsupported version of Node.js the package would silently load a
 * slow replacement with other semantics.
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
