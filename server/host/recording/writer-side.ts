import type { Track } from '../../capture/track.ts';
import { CaptureFiles } from './capture-files.ts';
import type { FromWriter, ToWriter, WriterFailure } from './writer-messages.ts';

/** The thread's side of the captures' files. */
export class WriterSide {
  readonly #captures = new Map<number, CaptureFiles>();

  /** Performs a task. Writes are complete when the call returns. */
  async answer(task: ToWriter): Promise<FromWriter> {
    const { call } = task;
    try {
      return { call, value: await this.#carryOut(task) };
    } catch (error) {
      return { call, failure: toFailure(error) };
    }
  }

  async #carryOut(task: ToWriter): Promise<number | undefined> {
    const { capture } = task;
    if (task.kind === 'create') {
      this.#captures.set(capture, new CaptureFiles(task.order, ownTrack(task.track)));
      return undefined;
    }
    const files = this.#captures.get(capture);
    if (!files) throw new Error('the writer knows of no such capture');
    switch (task.kind) {
      case 'write':
        files.write(
          task.samples.map(({ data, ...sample }) => ({ ...sample, data: asBuffer(data) })),
          task.untilUs,
        );
        return undefined;
      case 'sync':
        return files.sync();
      case 'finish': {
        const bytes = await files.finish(task.endUs);
        this.#captures.delete(capture);
        return bytes;
      }
      case 'close':
        this.#captures.delete(capture);
        await files.close();
        return undefined;
    }
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Restores the `Buffer` type, which is lost when a message crosses threads. */
function ownTrack({ parameterSets, ...size }: Track): Track {
  return { ...size, parameterSets: parameterSets.map(({ sps, pps }) => ({ sps: asBuffer(sps), pps: asBuffer(pps) })) };
}

function toFailure(error: unknown): WriterFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  const { errno, code } = error as { readonly errno?: unknown; readonly code?: unknown };
  return {
    message,
    ...(typeof errno === 'number' ? { errno } : {}),
    ...(typeof code === 'number' || typeof code === 'string' ? { code } : {}),
  };
}
