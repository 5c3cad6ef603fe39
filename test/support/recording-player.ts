import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** A finished recording in a browser's own player. */

/** Red, green and blue, row by row. */
export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export async function pixelsOf(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Puts the file into a player on a page of its own origin, so that its pixels can be read; waits for its first picture. */
export async function openPlayer(page: Page, origin: string, source: string) {
  await page.goto(`${origin}/healthz`);
  return page.evaluate(async (source) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = source;
    document.body.replaceChildren(video);
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve;
      video.onerror = () => reject(new Error(video.error?.message));
    });
    return { durationMs: video.duration * 1_000, width: video.videoWidth, height: video.videoHeight };
  }, source);
}

/** The picture that the player shows at a time. */
export async function seek(page: Page, seconds: number): Promise<Pixels> {
  const url = await page.evaluate(async (seconds) => {
    const video = document.querySelector('video');
    if (!video) throw new Error('there is no player');
    // A busy browser says that it has sought before the picture can be drawn.
    const drawable = new Promise((resolve) => {
      video.requestVideoFrameCallback(resolve);
      setTimeout(resolve, 10_000);
    });
    await new Promise((resolve) => {
      video.onseeked = resolve;
      video.currentTime = seconds;
    });
    await drawable;
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
  }, seconds);
  return pixelsOf(Buffer.from(url, 'base64'));
}
