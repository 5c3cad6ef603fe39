import type { Socket } from 'node:net';

/** Reads the bytes of a connection in pieces of given lengths, for one reader at a time. */
export class BufferedReader {
  #chunks: Buffer[] = [];
  #have = 0;
  #want = 0;
  #wake: () => void = () => undefined;
  #ended: Error | undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.#have += chunk.length;
      if (this.#have >= this.#want) this.#wake();
    });
    const end = (error: Error) => {
      this.#ended ??= error;
      this.#wake();
    };
    socket.on('error', end);
    socket.on('close', () => end(new Error('the connection closed')));
  }

  /** Takes the next `length` bytes. Rejects if the connection ends first. */
  async take(length: number): Promise<Buffer> {
    this.#want = length;
    while (this.#have < length) {
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    const rest = all.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#have = rest.length;
    return all.subarray(0, length);
  }
}
