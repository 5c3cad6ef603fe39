const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The name of a file, whose bytes a device keeps as they are; `undefined` for a name that is no UTF-8. */
export function fileNameOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
