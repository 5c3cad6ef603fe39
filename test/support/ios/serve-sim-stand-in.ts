import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import guards from '../../../server/drivers/ios/serve-sim/guard.cjs';
import { accessibilityInfo } from './accessibility-info.ts';
import type { Guest } from './guest.ts';
import { GuestVideo } from './guest-video.ts';

/** A stand-in of serve-sim's server, byte by byte as documented. */
export class ServeSimStandIn {
  /** Ends the process that it stands for. */
  kill: () => void = () => undefined;
  /** Changes the bytes of the video, to see what a faulty helper does. */
  garble: (bytes: Buffer) => Buffer = (bytes) => bytes;
  /** Breaks off the video of everybody in the middle of its next picture. */
  breaksOff = false;
  /** Digests of every slice that its encoder has made, without what says where it ends, the newest last. */
  readonly scheduler = new Set<string>();
  /** Messages that came on the input socket, as they were. */
  readonly messages: Buffer[] = [];
  /** Pings are not answered, as by a process that hangs. */
  hangs = false;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #guest: Guest;
  readonly #viewers = new Set<ServerResponse>();
  readonly #video: GuestVideo;
  #sets: string | undefined;
  #closed = false;

  private constructor(guest: Guest, rawPanel: boolean) {
    this.#guest = guest;
    this.#video = new GuestVideo(guest, rawPanel, (payload, key) => this.#broadcast(payload, key));
    this.#server = createServer((request, response) => {
      if (request.url === '/health') return void response.end('{"status":"ok"}');
      if (request.url === '/config') return void response.end(this.#config());
      if (request.url === '/ax') return void response.end(accessibilityInfo(this.#guest.phone, true));
      if (request.url !== '/stream.avcc') return void response.writeHead(404).end();
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      // A picture to look at until the first one can be decoded.
      response.write(envelope(4, Buffer.from([0xff, 0xd8, 0xff, 0xd9])));
      this.#viewers.add(response);
      response.on('close', () => this.#viewers.delete(response));
      this.#sets = undefined;
      this.#video.requestKey();
    });
    this.#sockets = new WebSocketServer({ server: this.#server, path: '/ws', autoPong: false });
    this.#sockets.on('connection', (socket) => {
      socket.on('ping', (data) => {
        if (!this.hangs) socket.pong(data);
      });
      socket.send(Buffer.concat([Buffer.from([0x82]), Buffer.from(this.#config())]));
      socket.on('message', (data: Buffer) => this.#message(data));
    });
  }

  /** @param secret that its guard asks for, as the real one's does that is loaded before its code */
  static async listen(port: number, guest: Guest, rawPanel: boolean, secret: string): Promise<ServeSimStandIn> {
    const helper = new ServeSimStandIn(guest, rawPanel);
    guards.guard(helper.#server, secret);
    await new Promise<void>((resolve) => helper.#server.listen(port, '127.0.0.1', resolve));
    return helper;
  }

  /** Viewers of the video at present. */
  get viewers(): number {
    return this.#viewers.size;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#video.close();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #config(): string {
    const { width, height, orientation } = this.#guest.picture();
    return JSON.stringify({ width, height, orientation });
  }

  #message(data: Buffer): void {
    this.messages.push(data);
    const body = data.length > 1 ? JSON.parse(data.subarray(1).toString()) : {};
    const guest = this.#guest;
    switch (data[0]) {
      case 0x03:
        return guest.touch(body.type, [{ x: body.x, y: body.y }]);
      case 0x04:
        if (body.page === undefined) return guest.button(body.button);
        return guest.control(body.page, body.usage, body.phase);
      case 0x05:
        return guest.touch(body.type, [
          { x: body.x1, y: body.y1 },
          { x: body.x2, y: body.y2 },
        ]);
      case 0x06:
        return guest.key(body.type, body.usage);
      case 0x07:
        return guest.rotate(body.orientation);
      case 0x08:
        return guest.renderOption(body.option, body.enabled);
      case 0x09:
        return guest.memoryWarning();
      case 0x0c:
        return guest.toggleKeyboard();
    }
  }

  /** Annex B becomes what serve-sim sends: a record of the parameter sets once, and units behind their lengths. */
  #broadcast(payload: Buffer, key: boolean): void {
    const units = unitsOf(payload);
    const type = (unit: Buffer) => (unit[0] ?? 0) % 32;
    const [sps, pps] = [units.find((unit) => type(unit) === 7), units.find((unit) => type(unit) === 8)];
    const chunks: Buffer[] = [];
    if (sps && pps && this.#sets !== sps.toString('hex')) {
      this.#sets = sps.toString('hex');
      const length = (unit: Buffer) => [unit.length >> 8, unit.length & 255];
      const record = [Buffer.from([1, ...sps.subarray(1, 4), 0xff, 0xe1, ...length(sps)]), sps];
      chunks.push(envelope(1, Buffer.concat([...record, Buffer.from([1, ...length(pps)]), pps])));
    }
    const scheduler = units.filter((unit) => type(unit) < 6);
    for (const slice of scheduler) addLast(this.scheduler, digestOf(slice));
    const sample = scheduler.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    });
    chunks.push(envelope(key ? 2 : 3, Buffer.concat(sample)));
    if (this.breaksOff) {
      this.breaksOff = false;
      for (const viewer of this.#viewers) viewer.write(chunks.at(-1)?.subarray(0, 100), () => viewer.destroy());
      return;
    }
    for (const viewer of this.#viewers) for (const chunk of chunks) viewer.write(this.garble(chunk));
  }
}

function envelope(tag: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + 1);
  head[4] = tag;
  return Buffer.concat([head, payload]);
}

export const digestOf = (unit: Uint8Array): string => createHash('sha1').update(unit).digest('hex');

/** Adds what may be there already, as the last one of the set. */
export function addLast(all: Set<string>, one: string): void {
  all.delete(one);
  all.add(one);
}

/** The units between the start codes of three or four bytes. */
export function unitsOf(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = 0; at + 2 < stream.length; at++) {
    if (stream[at] === 0 && stream[at + 1] === 0 && stream[at + 2] === 1) starts.push(at);
  }
  return starts.map((start, index) => {
    const next = starts[index + 1] ?? stream.length;
    return stream.subarray(start + 3, stream[next - 1] === 0 && next < stream.length ? next - 1 : next);
  });
}
