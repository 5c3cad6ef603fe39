import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { attachedService } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { standInService } from '../support/ios/stand-in-service.ts';
import { complaints, probe } from '../support/mp4-judges.ts';
import { openPlayer, type Pixels, pixelsOf, seek } from '../support/recording-player.ts';
import type { TestServer } from '../support/server.ts';

/**
 * A recording of a device that encodes its screen itself goes on when the device is turned, by pictures of another encoder: ffmpeg and
 * a browser's own player show both.
 */

/** Until a picture is recorded, also on a busy machine. */
const SHOWN_MS = 1_500;
/** Mean difference of colours that encoding and scaling leave, in steps of 255. */
const NOISE_MAX = 4;

interface Subject {
  readonly server: TestServer;
  readonly session: SessionRecord;
}

type Subjects = Readonly<Record<string, (t: Test) => Promise<Subject>>>;

const IN_EVERY_RUN: Subjects = {
  'a simulator by serve-sim': async (t) => {
    const { server, session } = await standInService(t);
    return { server, session: await session() };
  },
  ...(hasAdb && {
    'a device by scrcpy': async (t: Test) => {
      const { server, session } = await attachedService(t, '4.1');
      return { server, session: await session() };
    },
  }),
};

/** Proved by `npm run prove`. */
const OTHERS: Subjects = {
  'a simulator by serve-sim, whose video shows the panel': async (t) => {
    const { server, session } = await standInService(t, { rawPanel: true });
    return { server, session: await session() };
  },
  'a simulator by idb_companion': async (t) => {
    const { server, session } = await standInService(t, { helpers: ['idb_companion'] });
    return { server, session: await session() };
  },
};

const SUBJECTS = process.env.TURNED === 'others' ? OTHERS : IN_EVERY_RUN;

/** The screen as the recording has it: in the middle of a black frame of the first picture's size. */
async function framed(shown: Pixels, frame: Pixels): Promise<Buffer> {
  const { data, width, height } = shown;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ width: frame.width, height: frame.height, fit: 'contain', background: 'black' })
    .raw()
    .toBuffer();
}

function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (const [at, value] of one.entries()) sum += Math.abs(value - (other[at] ?? 0));
  return sum / one.length;
}

for (const [name, open] of Object.entries(SUBJECTS)) {
  t.test(`${name} is recorded through its turns`, { skip: withoutBrowser }, async (t) => {
    const { server, session } = await open(t);
    const { rest } = server;
    const path = `/service/${session.platform}/${session.id}/recordings`;
    const { body: begun } = await rest.call<RecordingRecord>('POST', path);
    const startedMs = Date.parse(begun.startedAt ?? '');
    const shown: { readonly seconds: number; readonly pixels: Pixels }[] = [];
    for (const orientation of ['portrait', 'landscape_left', 'landscape_right', 'portrait'] as const) {
      await rest.interact(session, { action: 'rotate', orientation });
      await sleep(SHOWN_MS);
      const pixels = await pixelsOf(await rest.screenshot(session));
      shown.push({ seconds: (Date.now() - startedMs) / 1_000, pixels });
      await sleep(SHOWN_MS / 3);
    }
    const { body: stopped } = await rest.call<RecordingRecord>('POST', `${path}/${begun.id}/stop`);
    t.equal(stopped.status, 'ready', JSON.stringify(stopped.failure));
    const seconds = (stopped.durationMs ?? 0) / 1_000;
    t.ok(seconds >= (shown.at(-1)?.seconds ?? 0), `${seconds} s`);

    const file = join(t.testdir(), 'recording.mp4');
    await writeFile(file, Buffer.from(await (await rest.fetch(stopped.downloadUrl ?? '')).arrayBuffer()));
    t.equal(await complaints(file), '');
    const { streams } = await probe(file);
    t.match(streams, [{ codec_tag_string: 'avc1' }]);

    const referred = await rest.fetch(stopped.downloadUrl ?? '', { redirect: 'manual' });
    const page = await (await startBrowser(t)).newPage();
    const player = await openPlayer(page, server.url, referred.headers.get('location') ?? '');
    const [first] = shown;
    if (!first) throw new Error('nothing was shown');
    t.match(player, { width: streams[0]?.width, height: streams[0]?.height });
    // Each is a seek that goes back, or far ahead, into the pictures of the other encoder.
    for (const index of [2, 0, 3, 1]) {
      const at = shown[index];
      if (!at) throw new Error('there is no such time');
      const seen = await seek(page, at.seconds);
      const noise = difference(seen.data, await framed(at.pixels, seen));
      t.ok(noise < NOISE_MAX, `turn ${index}: it differs by ${noise.toFixed(2)}`);
    }
  });
}
