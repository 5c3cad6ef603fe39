import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform, SessionRecord } from '@runcloud/protocol';
import type { Test } from 'tap';
import { commandLine } from './command-line.ts';
import { ControlClient } from './control-client.ts';
import { awayFromMinuteEdge } from './minute-edge.ts';
import { TEST_KEY, type TestServer } from './server.ts';

type Input = Readonly<Record<string, unknown>>;

const between = (random: () => number, from: number, to: number): number =>
  Math.round((from + random() * (to - from)) * 1_000) / 1_000;

/**
 * An input as a person or a program gives it, anywhere. Without swipes: how far a list flies depends on how fast the finger was,
 * to the millisecond, and no two are alike.
 */
function someInput(random: () => number): Input {
  const point = () => ({ x: between(random, 0.02, 0.98), y: between(random, 0.05, 0.97) });
  const one = random();
  if (one < 0.6) return { action: 'tap', ...point() };
  if (one < 0.7) return { action: 'typeText', text: `word ${Math.floor(random() * 1_000)} ` };
  if (one < 0.76) return { action: 'insertText', text: 'Grüße' };
  if (one < 0.82) return { action: 'pressKey', key: random() < 0.5 ? 'backspace' : 'a' };
  if (one < 0.88) return { action: 'scroll', ...point(), deltaX: 0, deltaY: between(random, -0.5, 0.5) };
  if (one < 0.94) return { action: 'pressButton', button: 'home' };
  // The notes of each platform, so that texts have a place to go to.
  return { action: 'tap', x: 0.39, y: random() < 0.5 ? 0.92 : 0.84 };
}

interface ReplayPlan {
  readonly platform: Platform;
  readonly count: number;
  readonly random: () => number;
}

/**
 * Gives `count` inputs to a phone, one after the other, and replays its history on a fresh one, as fast as that goes. Each waits for a
 * still picture, both times: an input that comes while the phone still moves may be taken otherwise. Compares the last pictures of
 * both, byte for byte.
 */
export async function replayOnce(
  t: Test,
  { rest, url }: TestServer,
  { platform, count, random }: ReplayPlan,
): Promise<void> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'runcloud-replay-'));
  // While one is given inputs, the other one waits.
  const waits = { inactivityTimeout: '2h' };
  const source = await rest.createSession(platform, { ...waits, historyTexts: 'full' });
  const target = await rest.createSession(platform, waits);
  const fresh = await stillOf(rest, source);
  const client = await ControlClient.connect(url, source, rest.authorization);
  // In the end a page of notes is open, which no fresh phone shows.
  const notes = { action: 'tap', x: 0.39, y: platform === 'ios' ? 0.92 : 0.84 };
  const last = [{ action: 'pressButton', button: 'home' }, notes, { action: 'typeText', text: 'the end' }];
  for (const [index, input] of [...Array.from({ length: count }, () => someInput(random)), ...last].entries()) {
    await stillOf(rest, source);
    await client.interact({ ...input, requestId: `r${index}`, acks: 'final' });
  }
  await client.close();
  const env = { RUNCLOUD_BASE_URL: url, RUNCLOUD_API_KEY: TEST_KEY };
  const args = ['replay', source.id, '--session', target.id, '--speed', 'max', '--settle'];
  const { code, stdout, stderr } = await commandLine(args, { env, stateFolder });
  t.equal(code, 0, `${count} inputs on ${platform}: ${stdout.trim().split('\n').at(-1)}${stderr}`);
  await awayFromMinuteEdge();
  const wanted = await stillOf(rest, source);
  t.notOk(wanted.equals(fresh), 'the inputs have changed the picture');
  t.ok((await stillOf(rest, target)).equals(wanted), 'the last picture is the same, byte for byte');
  for (const { id } of [source, target]) await rest.releaseSession(id);
  rmSync(stateFolder, { recursive: true });
}

/** A picture of the display that stands still. */
async function stillOf(rest: TestServer['rest'], { platform, id }: SessionRecord): Promise<Buffer> {
  const response = await rest.fetch(`/service/${platform}/${id}/screenshot?settled=true`);
  if (response.status !== 200) throw new Error(`no picture: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
