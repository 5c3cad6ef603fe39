import type { Observed, Platform, SessionRecord, UiNode, UiTree } from '@runcloud/protocol';
import sharp from 'sharp';
import type { Test } from 'tap';
import { seeded } from '../conformance/random.ts';
import { ControlClient } from './control-client.ts';
import { isDropped } from './faulty-device.ts';
import { RestClient } from './rest-client.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';

const FAULTY = new URL('faulty-devices.mjs', import.meta.url).pathname;
const KEY = 'a-key-that-only-the-tests-know';
const APPS = ['settings', 'notes', 'browser', 'scroll', 'touch-lab', 'motion'];
const WORDS = ['Milk', 'a', 'Hello there'];
/** Edges are smoothed over the pixels beside them. */
const EDGE_PIXELS = 2;

interface Shot {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

interface Look {
  readonly tree: UiTree;
  readonly shot: Shot;
}

type Request = Readonly<Record<string, unknown>>;

export interface Walk {
  readonly platform: Platform;
  readonly steps: number;
  /** One input in so many is swallowed by the device. */
  readonly droppedEach: number;
  readonly seed: number;
}

/**
 * Goes through a virtual phone at random, on a service whose devices swallow some inputs: whatever is told of an input agrees with the
 * pixels before and after it, and none that was swallowed is said to have changed anything.
 */
export async function walkObserved(t: Test, { platform, steps, droppedEach, seed }: Walk): Promise<void> {
  const folder = temporaryDataDir();
  const program = serverProgram(folder.path, {
    RUNCLOUD_API_KEY: KEY,
    RUNCLOUD_RATE_LIMIT: 'off',
    NODE_OPTIONS: `--import ${FAULTY}`,
    FAULTY_DEVICE: 'drops inputs',
    FAULTY_EACH: String(droppedEach),
  });
  t.teardown(async () => {
    program.signal('SIGKILL');
    await program.ended;
    folder.remove();
  });
  const walker = await Walker.start(new RestClient(await program.ready(), KEY), platform, droppedEach, seeded(seed));
  t.comment(`seed ${seed}`);
  for (let step = 0; step < steps; step++) {
    const fault = await walker.step(step).catch((error) => `${error}: ${program.stderr.slice(-1_000)}`);
    if (fault !== undefined) throw new Error(`step ${step}: ${fault}`);
  }
  t.comment(JSON.stringify(walker.counts));
  t.ok(walker.counts.dropped > 0, 'some inputs were swallowed');
  t.ok(walker.counts.changed > 0 && walker.counts.unchanged > 0, 'some changed the screen, and some did not');
  t.ok(walker.counts.stale > 0, 'some refs were stale');
  await walker.end();
}

class Walker {
  readonly counts = { dropped: 0, changed: 0, unchanged: 0, unknown: 0, stale: 0, failed: 0 };
  readonly #rest: RestClient;
  readonly #record: SessionRecord;
  readonly #socket: ControlClient;
  readonly #droppedEach: number;
  readonly #random: () => number;
  /** A ref of a frame that an input has ended. */
  #stale: { readonly ref: string; readonly frame: number } | undefined;

  private constructor(
    rest: RestClient,
    record: SessionRecord,
    socket: ControlClient,
    each: number,
    random: () => number,
  ) {
    this.#rest = rest;
    this.#record = record;
    this.#socket = socket;
    this.#droppedEach = each;
    this.#random = random;
  }

  static async start(rest: RestClient, platform: Platform, each: number, random: () => number): Promise<Walker> {
    const record = await rest.createSession(platform);
    const socket = await ControlClient.connect(rest.url, record, rest.authorization);
    return new Walker(rest, record, socket, each, random);
  }

  async end(): Promise<void> {
    await this.#socket.close();
  }

  /** What is wrong, if anything is. */
  async step(step: number): Promise<string | undefined> {
    const isStill = await this.#isStill();
    const minute = minuteNow();
    const before = await this.#look();
    const isStale = this.#stale !== undefined && this.#random() < 0.05;
    const request = isStale ? { action: 'tapElement', target: this.#stale } : this.#choose(before.tree);
    const requestId = `w-${step}`;
    this.#socket.send({ type: 'interaction', requestId, observe: true, ...request });
    const result = await this.#socket.result(requestId);
    const words = JSON.stringify({ request, result: result.error?.code ?? result.status, app: before.tree.app });
    if (isStale && result.ok) return `a stale ref acted: ${words}`;
    if (!result.ok) {
      this.counts.failed++;
      if (!isStale)
        return /^(?:target_|ref_)/.test(result.error?.code ?? '') || isFocusLost(result) ? undefined : words;
      this.counts.stale++;
      this.#stale = undefined;
      const after = await this.#look();
      return isStill && differs(before, after) ? `a stale ref changed something: ${words}` : undefined;
    }
    const [observed, dispatched] = await Promise.all([
      this.#socket.next('observed', (message) => message.requestId === requestId),
      this.#socket.next('dispatched', (message) => message.requestId === requestId),
    ]);
    const ref = everyNode(before.tree.nodes).find((node) => node.ref !== undefined)?.ref;
    if (ref !== undefined) this.#stale = { ref, frame: before.tree.frame };
    this.#count(observed);
    const told = `${words} was told ${JSON.stringify(observed)}`;
    if ((observed.changed === undefined) === (observed.unknown === undefined)) return `both or neither: ${told}`;
    if (isDropped(dispatched.inputSeq, this.#droppedEach))
      return this.#judgeDropped(observed, before, isStill && minute === minuteNow(), told);
    // What still moves, or moved before, has no picture to compare.
    if (!isStill || observed.unknown || (observed.changed && observed.settledMs === undefined)) return undefined;
    const isOther = differs(before, await this.#look());
    // A clock may have gone on that shows through what covers it.
    if (minute !== minuteNow()) return undefined;
    if (observed.changed === false) return isOther ? `the pixels are otherwise: ${told}` : undefined;
    if (isOther !== (observed.area !== undefined))
      return `the pixels are ${isOther ? 'otherwise' : 'the same'}: ${told}`;
    return undefined;
  }

  #judgeDropped(observed: Observed, { tree }: Look, isStill: boolean, told: string): string | undefined {
    this.counts.dropped++;
    if (observed.changed) return `it was swallowed: ${told}`;
    const hasCaret = everyNode(tree.nodes).some(({ focused, editable }) => focused && editable);
    return isStill && !hasCaret && observed.unknown ? `it was swallowed on a still screen: ${told}` : undefined;
  }

  #count({ changed }: Observed): void {
    if (changed === undefined) this.counts.unknown++;
    else if (changed) this.counts.changed++;
    else this.counts.unchanged++;
  }

  #choose({ nodes, frame, app }: UiTree): Request {
    const random = this.#random;
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const usable = everyNode(nodes).filter(({ ref, actions, system }) => ref && !system && actions?.includes('tap'));
    const point = () => ({ x: Math.round(random() * 1_000) / 1_000, y: Math.round(random() * 1_000) / 1_000 });
    const place = random();
    if (app === 'Motion' && place < 0.3) return { action: 'pressButton', button: 'home' };
    if (place < 0.25 && usable.length > 0) return { action: 'tapElement', target: { ref: pick(usable).ref, frame } };
    if (place < 0.45 && usable.length > 0) {
      const { name, role } = pick(usable);
      return { action: 'tapElement', target: name === undefined ? { role } : { text: name, role }, waitMs: 100 };
    }
    if (place < 0.6) return { action: 'tap', ...point() };
    if (place < 0.68) return { action: 'scroll', deltaX: 0, deltaY: pick([-0.6, -0.2, 0.2, 0.6]) };
    if (place < 0.76) return { action: 'rotate', orientation: pick(['portrait', 'landscape_left', 'landscape_right']) };
    if (place < 0.84) return { action: 'typeText', text: pick(WORDS) };
    if (place < 0.88) return { action: 'typeText', text: pick(WORDS), target: { role: 'textfield' }, waitMs: 0 };
    if (place < 0.94) return { action: 'launchApp', app: pick(APPS) };
    return { action: 'pressButton', button: 'home' };
  }

  async #isStill(): Promise<boolean> {
    const { platform, id } = this.#record;
    const { body } = await this.#rest.call<{ holds: boolean }>('POST', `/service/${platform}/${id}/ui/wait`, {
      idle: true,
    });
    return body.holds;
  }

  async #look(): Promise<Look> {
    const { platform, id } = this.#record;
    const { body: tree } = await this.#rest.call<UiTree>('GET', `/service/${platform}/${id}/ui`);
    const { data, info } = await sharp(await this.#rest.screenshot(this.#record))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { tree, shot: { pixels: data, width: info.width, height: info.height } };
  }
}

const minuteNow = (): number => Math.floor(Date.now() / 60_000);

const isFocusLost = ({ error }: { readonly error?: { readonly message: string } }): boolean =>
  /did not take the focus/.test(error?.message ?? '');

const everyNode = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.flatMap((node) => [node, ...everyNode(node.children ?? [])]);

/** Whether any pixel is otherwise outside of the bars of the system as they were before. */
function differs(before: Look, after: Look): boolean {
  const { width, height, pixels } = before.shot;
  if (
    width !== after.shot.width ||
    height !== after.shot.height ||
    before.tree.orientation !== after.tree.orientation
  ) {
    return true;
  }
  const bars = everyNode(before.tree.nodes)
    .filter(({ system }) => system)
    .map(({ frame }) => ({
      left: Math.floor(frame.x * width) - EDGE_PIXELS,
      top: Math.floor(frame.y * height) - EDGE_PIXELS,
      right: Math.ceil((frame.x + frame.width) * width) + EDGE_PIXELS,
      bottom: Math.ceil((frame.y + frame.height) * height) + EDGE_PIXELS,
    }));
  if (pixels.equals(after.shot.pixels)) return false;
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] === after.shot.pixels[at]) continue;
    const place = Math.floor(at / 3);
    const [x, y] = [place % width, Math.floor(place / width)];
    if (!bars.some(({ left, top, right, bottom }) => x >= left && x < right && y >= top && y < bottom)) return true;
  }
  return false;
}
