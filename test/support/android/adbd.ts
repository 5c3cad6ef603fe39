import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** The device's end of adb, byte by byte as AOSP's protocol.txt has it; its shell is the real one of this machine. */

const CNXN = 0x4e584e43;
const OPEN = 0x4e45504f;
const OKAY = 0x59414b4f;
const CLSE = 0x45534c43;
const WRTE = 0x45545257;
const VERSION = 0x01000000;
const PIECE = 65_536;
const BANNER =
  'device::ro.product.name=standin;ro.product.model=Stand-in;ro.product.device=standin;features=shell_v2,cmd,stat_v2,fixed_push_mkdir';

function packet(command: number, arg0: number, arg1: number, data: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(24);
  let sum = 0;
  for (const byte of data) sum = (sum + byte) >>> 0;
  for (const [index, value] of [command, arg0, arg1, data.length, sum, (command ^ 0xffffffff) >>> 0].entries()) {
    head.writeUInt32LE(value >>> 0, index * 4);
  }
  return Buffer.concat([head, data]);
}

/** The device's side of a service that is no command. */
export interface ServiceEnd {
  heard(data: Buffer): void;
  /** The other side is gone. */
  closed(): void;
}

export interface ServicePeer {
  say(data: Buffer): void;
  end(): void;
}

/** One service that runs: what it says waits for the other end's word before more is said. */
class Stream {
  readonly #socket: Socket;
  readonly #local: number;
  readonly #remote: number;
  readonly #waiting: Buffer[] = [];
  #ready = true;
  #ending = false;

  constructor(socket: Socket, local: number, remote: number) {
    this.#socket = socket;
    this.#local = local;
    this.#remote = remote;
    socket.write(packet(OKAY, local, remote));
  }

  say(data: Buffer): void {
    for (let at = 0; at < data.length; at += PIECE) this.#waiting.push(data.subarray(at, at + PIECE));
    this.#pump();
  }

  end(): void {
    this.#ending = true;
    this.#pump();
  }

  heard(): void {
    this.#ready = true;
    this.#pump();
  }

  taken(): void {
    this.#socket.write(packet(OKAY, this.#local, this.#remote));
  }

  #pump(): void {
    if (this.#socket.destroyed || !this.#ready) return;
    const next = this.#waiting.shift();
    if (next) {
      this.#ready = false;
      this.#socket.write(packet(WRTE, this.#local, this.#remote, next));
    } else if (this.#ending) {
      this.#ending = false;
      this.#socket.write(packet(CLSE, this.#local, this.#remote));
    }
  }
}

/** A device ends a command with everything that it has started. */
function endGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A command that runs. */
class Child {
  readonly process: ChildProcess;
  readonly #framed: boolean;
  #bytes = Buffer.alloc(0);

  /** @param framed whether its input comes in packets, as shell_protocol.h has them */
  constructor(process: ChildProcess, framed: boolean) {
    this.process = process;
    this.#framed = framed;
  }

  heard(data: Buffer): void {
    const { stdin } = this.process;
    if (!this.#framed) return void stdin?.write(data);
    this.#bytes = Buffer.concat([this.#bytes, data]);
    while (this.#bytes.length >= 5) {
      const [id, length] = [this.#bytes[0], this.#bytes.readUInt32LE(1)];
      if (this.#bytes.length < 5 + length) return;
      if (id === 0) stdin?.write(this.#bytes.subarray(5, 5 + length));
      if (id === 4) stdin?.end();
      this.#bytes = this.#bytes.subarray(5 + length);
    }
  }
}

/** Below those that Linux gives to connections (`ip_local_port_range`). */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const TRIES_MAX = 20;

export class StandInAdbd {
  /** Command lines as they came. */
  readonly commands: string[] = [];
  port = 0;
  /** Hangs up for good at the first command that this matches. */
  dieAt: RegExp | undefined;
  /** Commands that match are accepted and never answered. */
  stuckAt: RegExp | undefined;
  /** Handlers of services other than commands, by name; a service without one does not exist. */
  service: (name: string) => ((peer: ServicePeer) => ServiceEnd) | undefined = () => undefined;
  readonly #path: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #children = new Map<ChildProcess, string>();

  /** @param path where the shell looks for commands */
  constructor(path: string) {
    this.#path = path;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** Listens where it has listened before, or else on a port that the system gives to no connection meanwhile. */
  async listen(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const port = this.port || FIRST_PORT + randomInt(PORTS);
      this.#server.listen(port, '127.0.0.1');
      try {
        await once(this.#server, 'listening');
        this.port = port;
        return;
      } catch (error) {
        if (tries === TRIES_MAX) throw error;
      }
    }
  }

  get listening(): boolean {
    return this.#server.listening;
  }

  /** How many commands run. */
  get running(): number {
    return this.#children.size;
  }

  get runningCommands(): readonly string[] {
    return [...this.#children.values()];
  }

  /** Hangs up, and takes no calls any more. */
  close(): void {
    this.#server.close();
    this.hangUp();
  }

  /** A guest that stands still reads nothing, and what was sent to it is read when it goes on. */
  set still(still: boolean) {
    for (const socket of this.#sockets) {
      if (still) socket.pause();
      else socket.resume();
    }
  }

  /** Ends every connection, and what runs for it. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const child of this.#children.keys()) endGroup(child);
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay();
    const streams = new Map<number, { stream: Stream; child?: Child | undefined; end?: ServiceEnd }>();
    let bytes = Buffer.alloc(0);
    let last = 0;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      for (const { child, end } of streams.values()) {
        endGroup(child?.process);
        end?.closed();
      }
    });
    const handle = (command: number, arg0: number, arg1: number, data: Buffer) => {
      if (command === CNXN) socket.write(packet(CNXN, VERSION, PIECE, Buffer.from(BANNER)));
      if (command === OPEN) {
        const local = ++last;
        const name = data.toString().replace(/\0$/, '');
        const isCommand = /^(shell|exec)\b/.test(name);
        const service = isCommand ? undefined : this.service(name);
        if (!isCommand && !service) return void socket.write(packet(CLSE, 0, arg0));
        const stream = new Stream(socket, local, arg0);
        if (service) streams.set(local, { stream, end: service(stream) });
        else streams.set(local, { stream, child: this.#start(name, stream) });
      }
      const open = streams.get(arg1);
      if (command === OKAY) open?.stream.heard();
      if (command === WRTE) {
        open?.child?.heard(data);
        open?.end?.heard(data);
        open?.stream.taken();
      }
      if (command === CLSE) {
        streams.delete(arg1);
        open?.child?.process.stdin?.end();
        endGroup(open?.child?.process);
        open?.end?.closed();
      }
    };
    socket.on('data', (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      while (bytes.length >= 24) {
        const length = bytes.readUInt32LE(12);
        if (bytes.length < 24 + length) return;
        const [command, arg0, arg1] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
        const data = Buffer.from(bytes.subarray(24, 24 + length));
        bytes = bytes.subarray(24 + length);
        handle(command, arg0, arg1, data);
      }
    });
  }

  #start(service: string, stream: Stream): Child | undefined {
    const [, kind = '', command = ''] = /^(shell,v2,raw|shell|exec):([\s\S]*)$/.exec(service) ?? [];
    if (kind === '') return void stream.end();
    this.commands.push(command);
    if (this.dieAt?.test(command)) return void this.close();
    if (this.stuckAt?.test(command)) return undefined;
    const framed = kind === 'shell,v2,raw';
    const child = spawn('/bin/sh', ['-c', command], { env: { PATH: this.#path }, stdio: 'pipe', detached: true });
    this.#children.set(child, command);
    const say = (id: number) => (data: Buffer) => {
      if (!framed) return stream.say(data);
      const head = Buffer.alloc(5);
      head[0] = id;
      head.writeUInt32LE(data.length, 1);
      stream.say(Buffer.concat([head, data]));
    };
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', say(1));
    child.stderr.on('data', say(2));
    child.on('close', (code) => {
      this.#children.delete(child);
      if (framed) stream.say(Buffer.from([3, 1, 0, 0, 0, code ?? 255]));
      stream.end();
    });
    return new Child(child, framed);
  }
}
