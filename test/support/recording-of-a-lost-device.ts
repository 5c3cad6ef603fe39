import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { withFfmpeg } from '../host/stream/ffmpeg.ts';
import { complaints, pictureAt, probe } from './mp4-judges.ts';
import type { RestClient } from './rest-client.ts';

/** Finalizing takes a second or two, and longer on a busy machine. */
const TRIES_MAX = 900;
const PAUSE_MS = 50;
/** An empty picture has one or two values. */
const VALUES_MIN = 20;

/** Waits for a recording whose device was lost; tells why it cannot be played, and nothing where it can. */
export async function whyUnplayable(
  rest: RestClient,
  { platform, id }: SessionRecord,
  recordingId: string,
  folder: string,
): Promise<string> {
  const read = () => rest.call<RecordingRecord>('GET', `/service/${platform}/${id}/recordings/${recordingId}`);
  let { body } = await read();
  for (let tries = 0; tries < TRIES_MAX && body.status !== 'ready' && body.status !== 'failed'; tries++) {
    await sleep(PAUSE_MS);
    body = (await read()).body;
  }
  if (body.status !== 'ready') return `it is ${body.status}: ${body.failure?.message ?? ''}`;
  const file = join(folder, 'recording.mp4');
  const response = await rest.fetch(body.downloadUrl ?? '');
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  if (withFfmpeg().skip) return '';
  const complained = await complaints(file);
  if (complained !== '') return complained;
  const { packets } = await probe(file);
  if (packets.length < 2) return `it has ${packets.length} pictures`;
  const values = new Set((await pictureAt(file, Number.MAX_SAFE_INTEGER)).subarray(0, 300_000)).size;
  return values < VALUES_MIN ? `its last picture has ${values} values` : '';
}
