// @ts-check
// Drives a phone from Node.js: node drive.mjs [ios|android]. RUNCLOUD_API_KEY has the key; files go to the current folder.

import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCapacityError, RunCloud, RunCloudError } from 'runcloud';

const platform = process.argv[2] === 'android' ? 'android' : 'ios';
const NOTES = platform === 'ios' ? { x: 0.39, y: 0.92 } : { x: 0.39, y: 0.84 };

const cloud = new RunCloud();
const session = await createSession();
console.log('session', session.record.status, session.record.device.model);
try {
  await drive();
} finally {
  await session.delete();
}

/** Waits for a free device for as long as the service says. */
async function createSession() {
  for (;;) {
    try {
      return await cloud.sessions.create({ platform, labels: { example: 'node' } });
    } catch (error) {
      if (!isCapacityError(error)) throw error;
      await sleep(error.retryAfterMs ?? 5_000);
    }
  }
}

async function drive() {
  const control = await session.connect();
  control.on('event', (event) => event.event === 'orientation' && console.log('turned', event.orientation));
  const recording = await session.recordings.start();

  const seen = [];
  for await (const stage of session.stages({ action: 'tap', ...NOTES })) seen.push(stage.type);
  console.log('tap', ...seen);
  const typed = await session.typeText('Hello from Node.js');
  console.log('typed', typed.result.characterCount);
  await writeFile('notes.png', await session.screenshot({ settled: true }));

  // A gesture that takes ten seconds, and is cancelled.
  const slow = session.swipe({ x: 0.5, y: 0.8 }, { x: 0.5, y: 0.2 }, { durationMs: 10_000, requestId: 'slow' });
  const cancelled = slow.catch((error) => error);
  await sleep(300);
  await session.cancel('slow');
  const failure = await cancelled;
  if (failure instanceof RunCloudError) console.log('swipe', failure.interactionStatus, failure.code);

  await session.pressButton('home');
  await session.rotate('landscape_left');
  await session.rotate('portrait');

  // A finger that is moved live.
  const finger = await session.pointer({ x: 0.5, y: 0.3 });
  for (let step = 1; step <= 20; step++) {
    finger.move({ x: 0.5, y: 0.3 + step * 0.01 });
    await sleep(10);
  }
  console.log('finger', (await finger.end()).result.pointCount);

  for await (const packet of control.screen({ encodings: ['jpeg'], maxLongEdge: 640 })) {
    await writeFile('screen.jpg', packet.payload);
    console.log('picture', packet.encoding, `${packet.width}x${packet.height}`);
    break;
  }

  await session.recordings.stop(recording.id);
  const film = await session.recordings.download(recording.id);
  await writeFile('recording.mp4', film);
  console.log('recorded', film.length > 0);
}
