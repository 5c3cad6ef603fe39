import { decodeServerMessage } from '@runcloud/protocol';

export type AnswerKind = 'progress' | 'completed' | 'other';

/** A map whose first key is `type`: 0x8n, 0xa4 "type", then 0xa0 + length of the value. */
const KEY_LENGTH_AT = 1;
const VALUE_LENGTH_AT = 6;
const FIXSTR_4 = 0xa4;
const FIXSTR_RESULT = 0xa6;
const FIXSTR_ACCEPTED = 0xa8;
const FIXSTR_DISPATCHED = 0xaa;
const TRUE = 0xc3;

/**
 * Determines the kind of an answer by a few of its bytes, because decoding each answer would cost the client more than the
 * server spends on it. One answer is decoded in full to find the offset of `ok`; bytes that look different are decoded, too.
 */
export class AnswerReader {
  #okAt = -1;

  read(bytes: Buffer): AnswerKind {
    if (bytes[KEY_LENGTH_AT] === FIXSTR_4) {
      const length = bytes[VALUE_LENGTH_AT];
      if (length === FIXSTR_RESULT && this.#okAt > 0 && bytes[this.#okAt] === TRUE) return 'completed';
      if (length === FIXSTR_ACCEPTED || length === FIXSTR_DISPATCHED) return 'progress';
    }
    return this.#decode(bytes);
  }

  #decode(bytes: Buffer): AnswerKind {
    const read = decodeServerMessage(bytes);
    if (read.kind === 'screen') return 'other';
    const { message } = read;
    if (message.type === 'accepted' || message.type === 'dispatched') return 'progress';
    if (message.type === 'error' || (message.type === 'result' && !message.ok)) {
      throw new Error(`the server refused a request: ${JSON.stringify(message)}`);
    }
    if (message.type !== 'result') return 'other';
    const key = bytes.indexOf('\xa2ok\xc3', 0, 'latin1');
    // Before the first value that the caller chose, these bytes can only be the key.
    if (key > 0 && key < bytes.indexOf('requestId')) this.#okAt = key + 3;
    return 'completed';
  }
}
