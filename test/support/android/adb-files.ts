import type { ServiceEnd, ServicePeer } from './adbd.ts';

/** Files of a device by their paths. */
export type DeviceFiles = Map<string, Buffer>;

/** The device's side of `adb push`, as adb's SYNC.TXT has it: files are sent, in pieces, and nothing else is asked. */
export class FileService implements ServiceEnd {
  readonly #files: DeviceFiles;
  readonly #peer: ServicePeer;
  #bytes = Buffer.alloc(0);
  #path: string | undefined;
  #pieces: Buffer[] = [];

  constructor(files: DeviceFiles, peer: ServicePeer) {
    this.#files = files;
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

  closed(): void {
    this.#pieces = [];
  }

  #take(id: string, body: Buffer): void {
    switch (id) {
      case 'SEND':
        this.#path = body.toString().split(',')[0];
        this.#pieces = [];
        return;
      case 'DATA':
        return void this.#pieces.push(Buffer.from(body));
      case 'DONE':
        this.#files.set(this.#path ?? '', Buffer.concat(this.#pieces));
        return this.#peer.say(Buffer.from('OKAY\0\0\0\0', 'latin1'));
      case 'QUIT':
        return this.#peer.end();
      default:
        return this.#peer.end();
    }
  }
}
