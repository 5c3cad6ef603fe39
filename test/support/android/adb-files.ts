import type { ServiceEnd, ServicePeer } from './adbd.ts';

/** Files of a device by their paths. */
export type DeviceFiles = Map<string, Buffer>;

/** What the file service reads and writes. */
export interface ServedFiles {
  readonly files: DeviceFiles;
  put(path: string, bytes: Buffer): void;
}

const PIECE = 65_536;

function answer(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** The device's side of `adb push` and `adb pull`, as adb's SYNC.TXT has it: files are sent and received in pieces, and nothing else is asked. */
export class FileService implements ServiceEnd {
  readonly #served: ServedFiles;
  readonly #peer: ServicePeer;
  #bytes = Buffer.alloc(0);
  #path: string | undefined;
  #pieces: Buffer[] = [];

  constructor(served: ServedFiles, peer: ServicePeer) {
    this.#served = served;
    this.#peer = peer;
  }

  heard(data: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, data]);
    for (;;) {
      if (this.#bytes.length < 8) return;
      const [id, length] = [this.#bytes.toString('latin1', 0, 4), this.#bytes.readUInt32LE(4)];
      const body = id === 'DONE' || id === 'QUIT' ? 0 : length;
      if (this.#bytes.length < 8 + body) return;
      this.#take(id, this.#bytes.subarray(8, 8 + body));
      this.#bytes = this.#bytes.subarray(8 + body);
    }
  }

  /** A file that did not come whole is removed, as adbd does. */
  closed(): void {
    if (this.#path !== undefined) this.#served.files.delete(this.#path);
    this.#pieces = [];
  }

  #take(id: string, body: Buffer): void {
    const text = body.toString();
    switch (id) {
      case 'SEND':
        this.#path = text.slice(0, text.lastIndexOf(','));
        this.#pieces = [];
        return this.#served.put(this.#path, Buffer.alloc(0));
      case 'DATA':
        return void this.#pieces.push(Buffer.from(body));
      case 'DONE':
        this.#served.put(this.#path ?? '', Buffer.concat(this.#pieces));
        this.#path = undefined;
        return this.#peer.say(answer('OKAY', Buffer.alloc(0)));
      case 'RECV':
        return this.#send(text);
      case 'QUIT':
        return this.#peer.end();
      default:
        return this.#peer.end();
    }
  }

  #send(path: string): void {
    const bytes = this.#served.files.get(path);
    if (!bytes) return this.#peer.say(answer('FAIL', Buffer.from(`open failed: No such file or directory`)));
    for (let at = 0; at < bytes.length; at += PIECE) this.#peer.say(answer('DATA', bytes.subarray(at, at + PIECE)));
    this.#peer.say(answer('DONE', Buffer.alloc(0)));
  }
}
