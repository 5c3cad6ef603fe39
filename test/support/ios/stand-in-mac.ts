import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CompanionStandIn } from './companion-stand-in.ts';
import { Guest } from './guest.ts';
import { ServeSimStandIn } from './serve-sim-stand-in.ts';
import type { XcrunAnswer } from './xcrun-answer.ts';
import { answerXcrun } from './xcrun-answers.ts';

/** A simulator of the stand-in's. */
export interface StandInSimulator {
  readonly udid: string;
  readonly name: string;
  readonly type: string;
  state: string;
  guest: Guest;
}

export interface StandInOptions {
  /** Programs that are installed besides `xcrun`. */
  readonly helpers?: readonly ('serve-sim' | 'idb_companion')[];
  /** Whether `devicectl` can turn simulators. */
  readonly devicectl?: boolean;
  /** Pictures of the video lie as on the panel, however the guest is turned. */
  readonly rawPanel?: boolean;
}

/**
 * Program that hands its arguments to this process, and prints what comes back; it lives as long as the connection. A test
 * calls it some hundred times, and Perl starts in a quarter of the processor time that Node.js takes. Its call is one line
 * of fields in hexadecimal digits. The answer is a line of numbers before the bytes, or `RUNNING` before what goes on.
 */
const script = (socket: string) => `#!/usr/bin/env -S PERL_BADLANG=0 /usr/bin/perl
use strict;
use Socket;
socket my $mac, PF_UNIX, SOCK_STREAM, 0 or exit 1;
connect $mac, sockaddr_un('${socket}') or exit 1;
binmode $_ for $mac, *STDIN, *STDOUT, *STDERR;
my $input = '';
if (@ARGV > 1 && $ARGV[1] =~ /^(pbcopy|push)$/) { local $/; $input = <STDIN> // ''; }
my ($name) = $0 =~ m{([^/]*)$};
delete $ENV{PERL_BADLANG}; # It only keeps Perl from speaking of locales that are not there.
my @environment = map { "$_=$ENV{$_}" } keys %ENV;
syswrite $mac, join(' ', map { unpack 'H*', $_ } $name, $input, scalar(@ARGV), @ARGV, @environment) . "\\n";
my ($answer, $part) = ('', '');
while (sysread $mac, $part, 65536) {
  $answer .= $part;
  last if $answer =~ /^RUNNING\\n/;
}
if ($answer =~ s/^RUNNING\\n//) {
  $| = 1;
  do { print $answer } while (sysread $mac, $answer, 65536);
  exit 0;
}
$answer =~ s/^(\\d+) (\\d+) (\\d+)\\n// or exit 1;
my ($code, $printed, $zeros) = ($1, $2, $3);
print STDERR substr($answer, $printed);
print substr($answer, 0, $printed), "\\0" x $zeros;
exit $code;
`;

interface Call {
  readonly name: string;
  readonly input: Buffer;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The call of the program above. */
function callOf(line: string): Call {
  const fields = line.slice(0, -1).split(' ');
  const [name, input = Buffer.alloc(0), count, ...rest] = fields.map((field) => Buffer.from(field, 'hex'));
  const words = rest.map(String);
  const variables = words.slice(Number(count)).map((word) => {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return { name: String(name), input, args: words.slice(0, Number(count)), env: Object.fromEntries(variables) };
}

function bytesOf({ stdout = '', stderr = '', exitCode = 0, zeroBytes = 0 }: XcrunAnswer): Buffer {
  const printed = Buffer.from(stdout);
  return Buffer.concat([Buffer.from(`${exitCode} ${printed.length} ${zeroBytes}\n`), printed, Buffer.from(stderr)]);
}

/** A Mac that is none: programs of Apple's and of helpers, which answer as documented, in front of guests of our own. */
export class StandInMac {
  readonly simulators: StandInSimulator[] = [];
  /** Arguments of every call, in their order, the program's name first. */
  readonly calls: (readonly string[])[] = [];
  /** Environments that the programs were given. */
  readonly environments: Readonly<Record<string, string>>[] = [];
  readonly options: Required<StandInOptions>;
  /** Answers instead of the usual ones; `undefined` for those, `'hang'` for none at all. */
  override: (args: readonly string[]) => XcrunAnswer | 'hang' | undefined = () => undefined;
  readonly helpers: (ServeSimStandIn | CompanionStandIn)[] = [];
  readonly #guests = new WeakMap<object, Guest>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'stand-in-mac-'));
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#connected(socket));

  private constructor(options: StandInOptions) {
    this.options = { helpers: ['serve-sim'], devicectl: false, rawPanel: false, ...options };
    const door = join(this.#folder, 'door');
    for (const name of ['xcrun', ...this.options.helpers]) {
      const path = join(this.#folder, name);
      writeFileSync(path, script(door));
      chmodSync(path, 0o755);
    }
  }

  static async start(options: StandInOptions = {}): Promise<StandInMac> {
    const mac = new StandInMac(options);
    await new Promise<void>((resolve) => mac.#server.listen(join(mac.#folder, 'door'), resolve));
    return mac;
  }

  /** Environment variables for the programs that the service starts. */
  get tools(): Readonly<Record<string, string>> {
    return { PATH: this.#folder, HOME: this.#folder };
  }

  /** A simulator of the operator's. */
  add(
    name: string,
    state = 'Shutdown',
    type = 'com.apple.CoreSimulator.SimDeviceType.iPhone-Stand-In',
  ): StandInSimulator {
    const udid = randomUUID().toUpperCase();
    const simulator = { udid, name, type, state, guest: new Guest() };
    this.simulators.push(simulator);
    return simulator;
  }

  /** Simulators that the service has created, newest last. */
  get made(): readonly StandInSimulator[] {
    return this.simulators.filter(({ name }) => name.startsWith('runcloud-'));
  }

  /** The one that runs; throws when there is not exactly one. */
  get booted(): StandInSimulator {
    const [booted, other] = this.made.filter(({ state }) => state === 'Booted');
    if (!booted || other) throw new Error('not exactly one simulator runs');
    return booted;
  }

  /** The guest of the simulator of a device type that the service runs. */
  guestOf(typeName: string): Guest {
    const type = `.${typeName.replaceAll(' ', '-')}`;
    const found = this.made.find((simulator) => simulator.state === 'Booted' && simulator.type.endsWith(type));
    if (!found) throw new Error(`no simulator of ${typeName} runs`);
    return found.guest;
  }

  /** Programs that are connected to a guest. */
  helpersOf(guest: Guest): readonly (ServeSimStandIn | CompanionStandIn)[] {
    return this.helpers.filter((helper) => this.#guests.get(helper) === guest);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const { guest } of this.simulators) {
      guest.phone.close();
      guest.disk.erase();
    }
    await Promise.all(this.helpers.map((helper) => helper.close()));
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Open connections of programs that have not ended. */
  get running(): number {
    return this.#sockets.size;
  }

  #connected(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    let line = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (line.endsWith('\n')) return;
      line += text;
      if (line.endsWith('\n')) void this.#answer(socket, callOf(line));
    });
  }

  async #answer(socket: Socket, { name, args, input, env }: Call): Promise<void> {
    this.calls.push([name, ...args]);
    this.environments.push(env);
    if (name === 'serve-sim') return this.#serveSim(socket, args, env.RUNCLOUD_HELPER_SECRET ?? '');
    if (name === 'idb_companion') return this.#companion(socket, args);
    const answer = this.override(args) ?? (await answerXcrun(this, args, input, env));
    if (answer === 'hang') return;
    if (answer.running) {
      const gone = new AbortController();
      socket.on('close', () => gone.abort());
      socket.write('RUNNING\n');
      await answer.running((out) => void socket.write(out), gone.signal);
      return void socket.end();
    }
    socket.end(bytesOf(answer));
  }

  async #serveSim(socket: Socket, args: readonly string[], secret: string): Promise<void> {
    const guest = this.simulators.find(({ udid }) => udid === args.at(-1))?.guest;
    if (!guest || args[0] !== '--no-preview' || args[1] !== '-p')
      return void socket.end(bytesOf({ exitCode: 1, stderr: 'serve-sim: no device\n' }));
    const helper = await ServeSimStandIn.listen(Number(args[2]), guest, this.options.rawPanel, secret);
    this.#bind(helper, guest, socket);
  }

  async #companion(socket: Socket, args: readonly string[]): Promise<void> {
    const value = (name: string) => args[args.indexOf(name) + 1] ?? '';
    const guest = this.simulators.find(({ udid }) => udid === value('--udid'))?.guest;
    const path = value('--grpc-domain-sock');
    if (!guest || dirname(path) === '.') return void socket.end(bytesOf({ exitCode: 1, stderr: 'no target\n' }));
    this.#bind(await CompanionStandIn.listen(path, guest), guest, socket);
  }

  /** The helper's process and what it serves end together. */
  #bind(helper: ServeSimStandIn | CompanionStandIn, guest: Guest, socket: Socket): void {
    this.#guests.set(helper, guest);
    this.helpers.push(helper);
    socket.on('close', () => void helper.close());
    helper.kill = () => socket.destroy();
    if (socket.destroyed) void helper.close();
  }
}
