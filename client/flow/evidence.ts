import type { SessionHandle } from '../sdk/session.ts';
import type { OutputFolder } from './output-folder.ts';

/** A failure does not wait longer for what only helps to understand it. */
const HELP_MS = 10_000;

/** What was there when a flow failed. */
export interface Evidence {
  /** What was on the screen, as lines of text. */
  readonly outline?: string;
  readonly files: readonly string[];
  /** The recording that was running, and how far it was. */
  readonly recording?: { readonly id: string; readonly atMs: number };
}

/**
 * Keeps the tree and a picture of the screen, as far as they can be had.
 * @param recordedMs how long the flow's own recording has been running, if there is one
 */
export async function evidenceOf(
  session: SessionHandle,
  output: OutputFolder,
  recordedMs: number | undefined,
): Promise<Evidence> {
  const signal = AbortSignal.timeout(HELP_MS);
  const [outline, picture, recording] = await Promise.allSettled([
    session.outline({ signal }),
    session.screenshot({ signal }),
    momentOf(session, recordedMs, signal),
  ]);
  const files: string[] = [];
  if (outline.status === 'fulfilled') files.push(await output.write('screen.txt', outline.value));
  if (picture.status === 'fulfilled') files.push(await output.write('screen.png', picture.value));
  return {
    ...(outline.status === 'fulfilled' ? { outline: outline.value } : {}),
    files,
    ...(recording.status === 'fulfilled' && recording.value ? { recording: recording.value } : {}),
  };
}

async function momentOf(
  session: SessionHandle,
  recordedMs: number | undefined,
  signal: AbortSignal,
): Promise<Evidence['recording']> {
  const nowMs = Date.now();
  const { recordings } = await session.recordings
    .list({ signal, limit: 5 })
    .then((page) => ({ recordings: [...page] }));
  const active = recordings.find(({ status }) => status === 'recording');
  if (!active) return undefined;
  const atMs = recordedMs ?? nowMs - Date.parse(active.startedAt ?? active.createdAt);
  return { id: active.id, atMs: Math.max(0, atMs) };
}

/** `1:02.5` */
export function momentInWords(atMs: number): string {
  const seconds = (atMs / 1_000) % 60;
  return `${Math.floor(atMs / 60_000)}:${seconds.toFixed(1).padStart(4, '0')}`;
}
