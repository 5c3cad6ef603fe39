import type { TouchInput } from './touch-track.ts';

/** An input of a recording, at its time in the video. */
export interface RecordedInput extends TouchInput {
  readonly requestId: string;
  /** How it ended; `unknown` and `pending` too. */
  readonly status: string;
  /** Milliseconds from acceptance to the end; absent without an end. */
  readonly durationMs: number | undefined;
}

/**
 * Loads the inputs of a recording: cues of a metadata track, with JSON as their text. They are absent for a recording from a
 * time at which the service kept no history.
 */
export function loadInputs(video: HTMLVideoElement, url: string, onLoaded: (inputs: RecordedInput[]) => void): void {
  const element = document.createElement('track');
  element.kind = 'metadata';
  element.src = url;
  element.addEventListener('load', () => {
    const cues = [...(element.track.cues ?? [])] as VTTCue[];
    onLoaded(cues.map(inputOf).filter((input) => input !== undefined));
  });
  video.append(element);
  // A track that is disabled is not loaded.
  element.track.mode = 'hidden';
}

function inputOf({ startTime, text }: VTTCue): RecordedInput | undefined {
  try {
    const { requestId, action, fields = {}, status, durationMs } = JSON.parse(text);
    return { requestId, action, fields, status, durationMs, atMs: startTime * 1_000, lastedMs: durationMs ?? 0 };
  } catch {
    return undefined;
  }
}
