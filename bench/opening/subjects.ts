import { once } from 'node:events';
import { LIMITS } from '@runcloud/protocol/terms';
import WebSocket from 'ws';
import type { Picture } from '../../server/device/driver.ts';
import { createEncoder } from '../../server/host/stream/create-encoder.ts';
import { inTime } from '../photon/tap-loop.ts';
import { rawPicture } from '../stills/bare-encoder.ts';
import type { StillsSession } from '../stills/job.ts';
import type { OpeningJob } from './job.ts';
import { ScreenClient } from './screen-client.ts';

/** A kind of opening that is measured repeatedly. */
export interface OpeningSubject {
  /** Opens once and resolves with the time that it took, in milliseconds, excluding the closing. */
  open(): Promise<number>;
  close(): Promise<void>;
}

type PictureJob = Exclude<OpeningJob, { kind: 'handshakes' }>;

export async function openSubject(job: PictureJob): Promise<OpeningSubject> {
  switch (job.kind) {
    case 'first viewer':
    case 'further viewer':
      return watching(job.session, job.kind === 'further viewer');
    case 'new session':
      return { open: () => newSession(job), close: async () => undefined };
    case 'bare answer':
      return bareAnswer(job);
    case 'encoder':
      return encoder(job.png);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now();
  await work();
  return performance.now() - sinceMs;
}

async function watching(session: StillsSession, besideOther: boolean): Promise<OpeningSubject> {
  const client = await ScreenClient.open(session);
  const other = besideOther ? await ScreenClient.open(session) : undefined;
  await other?.watch();
  return {
    async open() {
      const tookMs = await timed(() => client.watch());
      await client.stop();
      return tookMs;
    },
    async close() {
      client.close();
      other?.close();
    },
  };
}

async function newSession({ origin, key }: Extract<PictureJob, { kind: 'new session' }>): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { hostname: host, port } = new URL(origin);
  let client: ScreenClient | undefined;
  let sessionId: string | undefined;
  try {
    return await timed(async () => {
      const body = JSON.stringify({ platform: 'ios' });
      const response = await fetch(`${origin}/service/sessions`, { method: 'POST', headers, body });
      const { id } = (await response.json()) as { id?: string };
      if (id === undefined) throw new Error(`creating a session answered ${response.status}`);
      sessionId = id;
      client = await ScreenClient.open({ host, port: Number(port), path: `/service/ios/${id}`, key });
      await client.watch();
    });
  } finally {
    client?.close();
    if (sessionId) await (await fetch(`${origin}/service/sessions/${sessionId}`, { method: 'DELETE', headers })).text();
  }
}

async function bareAnswer({ target }: Extract<PictureJob, { kind: 'bare answer' }>): Promise<OpeningSubject> {
  const socket = new WebSocket(`ws://${target.host}:${target.port}${target.path}`, { perMessageDeflate: false });
  await once(socket, 'open');
  const question = Buffer.alloc(40, 1);
  return {
    open: () =>
      timed(() => {
        const answered = once(socket, 'message');
        socket.send(question);
        return inTime(answered, 'a bare answer');
      }),
    async close() {
      socket.terminate();
    },
  };
}

async function encoder(png: Uint8Array): Promise<OpeningSubject> {
  const pixels = await rawPicture(png);
  const picture: Picture = { ...pixels, orientation: 'portrait', version: 1, damage: [], inputSeq: 0 };
  const { screenQuality, screenFps } = LIMITS;
  const profile = { encoding: 'h264', quality: screenQuality.default, maxFps: screenFps.default } as const;
  return {
    async open() {
      const sinceMs = performance.now();
      const made = await createEncoder(profile);
      await made.encode(picture, true, Date.now() * 1_000);
      const tookMs = performance.now() - sinceMs;
      made.close();
      return tookMs;
    },
    close: async () => undefined,
  };
}
