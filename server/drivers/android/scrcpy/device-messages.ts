/** Types of the messages that scrcpy's server sends on its control socket, in the form of versions 3 and 4. */
const CLIPBOARD = 0;
const ACK_CLIPBOARD = 1;
const UHID_OUTPUT = 2;

/** The server cuts a longer text off. */
const CLIPBOARD_BYTES_MAX = 262_139;

/** Reads the messages of scrcpy's server. */
export class DeviceMessageReader {
  #bytes = Buffer.alloc(0);

  /**
   * Takes the next bytes; returns the texts of the clipboards that they complete. Throws a `RangeError` for bytes that are no
   * messages.
   */
  read(bytes: Uint8Array): string[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const texts: string[] = [];
    for (;;) {
      const length = lengthOf(this.#bytes);
      if (length === undefined || this.#bytes.length < length) return texts;
      if (this.#bytes[0] === CLIPBOARD) texts.push(this.#bytes.toString('utf8', 5, length));
      this.#bytes = this.#bytes.subarray(length);
    }
  }
}

/** The length of the first message, in bytes; `undefined` as long as too little of it has come. */
function lengthOf(bytes: Buffer): number | undefined {
  switch (bytes[0]) {
    case undefined:
      return undefined;
    case CLIPBOARD: {
      if (bytes.length < 5) return undefined;
      const length = bytes.readUInt32BE(1);
      if (length > CLIPBOARD_BYTES_MAX) throw new RangeError(`a clipboard of ${length} bytes`);
      return 5 + length;
    }
    case ACK_CLIPBOARD:
      return 9;
    case UHID_OUTPUT:
      return bytes.length < 5 ? undefined : 5 + bytes.readUInt16BE(3);
    default:
      throw new RangeError(`a message of type ${bytes[0]}`);
  }
}
