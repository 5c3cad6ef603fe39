import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { section } from '../ui/page.ts';
import { InputList } from './input-list.ts';
import { loadInputs, type RecordedInput } from './inputs.ts';
import { eventMarks, inputMarks } from './marks.ts';
import { TouchLayer } from './touch-layer.ts';
import { TouchTrack } from './touch-track.ts';

export interface PlayerOptions {
  readonly name: string;
  readonly url: string;
  /** Address of the inputs, a WebVTT file. */
  readonly inputsUrl: string;
  /** Address of the picture that is shown until the video is. */
  readonly poster: string | undefined;
  readonly session: SessionRecord;
  readonly recording: RecordingRecord & { readonly events: readonly { readonly type: string; readonly at: string }[] };
  readonly leaving: AbortSignal;
}

/** A step back seeks by this: recordings have a variable rate, with at most 60 pictures a second. */
const PICTURE_SECONDS = 1 / 60;
/** Seeks further than a picture away when none has changed, so that a still part is passed at once. */
const STEPS_MAX = 60;
/** A browser that drops a picture that was sought does not hold up the steps behind it. */
const PICTURE_WAIT_MS = 1_000;

/**
 * A recording in the frame of its device, with the fingers that touched it, steps by picture, a time line with a mark for each
 * input, and a list of them.
 */
export class RecordingPlayer {
  readonly element: HTMLElement;
  readonly #video: HTMLVideoElement;
  readonly #line = element('input', {
    type: 'range',
    min: '0',
    max: '1',
    step: 'any',
    value: '0',
    'aria-label': 'Position',
  });
  readonly #time = element('span', { class: 'quiet', role: 'timer' }, '0.00 s');
  readonly #play: HTMLButtonElement;
  readonly #marks = element('div', { class: 'marks' });
  readonly #recording: PlayerOptions['recording'];
  #inputs: readonly RecordedInput[] = [];
  #list: InputList | undefined;
  /** Presentation time of the picture that is shown, in seconds: a seek to where the video is would show none anew. */
  #pictureAt: number | undefined;
  #steps = Promise.resolve();
  #stepsAsked = 0;

  constructor({ name, url, inputsUrl, poster, session, recording, leaving }: PlayerOptions) {
    this.#recording = recording;
    const video = element('video', { playsinline: true, preload: 'auto', src: url, 'aria-label': name, tabindex: '0' });
    if (poster !== undefined) video.poster = poster;
    this.#video = video;
    const trouble = element('p', { class: 'remedy', role: 'alert' });
    const touches = new TouchLayer(video, leaving);
    const screen = element('span', { class: 'screen' }, video, touches.element);
    const shape = (width: number, height: number) => {
      screen.style.aspectRatio = `${width} / ${height}`;
      screen.classList.toggle('lying', width > height);
    };
    shape(session.device.width, session.device.height);
    this.#play = button('Play', () => void this.#toggle(), { look: 'primary', icon: 'play' });
    const back = button('Picture back', () => this.#step(-1), { icon: 'back' });
    const next = button('Next picture', () => this.#step(1), { icon: 'next' });
    const fingers = button('Hide touches', () => {
      touches.element.hidden = !touches.element.hidden;
      fingers.textContent = touches.element.hidden ? 'Show touches' : 'Hide touches';
    });
    video.addEventListener('loadedmetadata', () => {
      shape(video.videoWidth, video.videoHeight);
      this.#line.max = String(video.duration);
      this.#mark();
      this.#follow();
    });
    const listed = element('div');
    loadInputs(video, inputsUrl, (inputs) => {
      this.#inputs = inputs;
      this.#list = new InputList(inputs, (ms) => this.#seek(ms));
      listed.replaceChildren(section('Inputs', this.#list.element));
      touches.show(new TouchTrack(inputs));
      this.#mark();
      this.#follow();
    });
    video.addEventListener('error', () => {
      trouble.textContent = 'The recording cannot be played here. Download it, or load this page again.';
    });
    for (const change of ['timeupdate', 'seeked']) video.addEventListener(change, () => this.#follow());
    for (const change of ['play', 'pause', 'ended']) {
      video.addEventListener(change, () => {
        this.#play.lastChild?.replaceWith(video.paused ? 'Play' : 'Pause');
      });
    }
    video.addEventListener('click', () => void this.#toggle());
    const shown: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      this.#pictureAt = mediaTime;
      video.requestVideoFrameCallback(shown);
    };
    video.requestVideoFrameCallback(shown);
    this.#line.addEventListener('input', () => {
      video.currentTime = Number(this.#line.value);
    });
    this.element = element(
      'section',
      { class: 'player' },
      element('div', { class: 'stage large' }, screen),
      element('div', { class: 'time-line' }, this.#line, this.#marks),
      element('div', { class: 'actions' }, this.#play, back, next, fingers, this.#time),
      trouble,
      listed,
    );
    this.element.addEventListener('keydown', (event) => this.#key(event));
    leaving.addEventListener('abort', () => {
      // Nothing more is to be loaded.
      video.removeAttribute('src');
      video.load();
    });
  }

  async #toggle(): Promise<void> {
    if (this.#video.paused) await this.#video.play().catch(() => undefined);
    else this.#video.pause();
  }

  #key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) return;
    if (event.key === ' ') void this.#toggle();
    else if (event.key === 'ArrowLeft' || event.key === ',') this.#step(-1);
    else if (event.key === 'ArrowRight' || event.key === '.') this.#step(1);
    else return;
    event.preventDefault();
  }

  /** Shows the next other picture, or the one before, once the steps that were asked for earlier are done. */
  #step(direction: 1 | -1): void {
    this.#stepsAsked++;
    this.element.ariaBusy = 'true';
    this.#steps = this.#steps
      .then(() => this.#stepNow(direction))
      .finally(() => {
        this.#stepsAsked--;
        this.element.ariaBusy = String(this.#stepsAsked > 0);
      });
  }

  async #stepNow(direction: 1 | -1): Promise<void> {
    const video = this.#video;
    video.pause();
    const from = this.#pictureAt;
    for (let step = 1; step <= STEPS_MAX; step++) {
      const to = Math.min(video.duration, Math.max(0, video.currentTime + direction * PICTURE_SECONDS));
      if (to === video.currentTime) return;
      if ((await this.#shownAt(to)) !== from) return;
    }
  }

  /** Seeks, and gives the presentation time of the picture that is then shown; its own time if the browser shows none for a while. */
  #shownAt(seconds: number): Promise<number> {
    const video = this.#video;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => resolve(seconds), PICTURE_WAIT_MS);
      video.requestVideoFrameCallback((_now, { mediaTime }) => {
        clearTimeout(giveUp);
        resolve(mediaTime);
      });
      video.currentTime = seconds;
    });
  }

  #seek(ms: number): void {
    this.#video.pause();
    this.#video.currentTime = ms / 1_000;
  }

  /** Marks the time line, once the video's length is known. */
  #mark(): void {
    const durationMs = this.#video.duration * 1_000;
    if (!(durationMs > 0)) return;
    const { events, startedAt } = this.#recording;
    this.#marks.replaceChildren(
      ...eventMarks(events, startedAt, durationMs),
      ...inputMarks(this.#inputs, durationMs, (ms) => this.#seek(ms)),
    );
  }

  #follow(): void {
    const { currentTime, duration } = this.#video;
    this.#list?.follow(currentTime * 1_000);
    this.#line.value = String(currentTime);
    const words = `${currentTime.toFixed(2)} s of ${Number.isFinite(duration) ? duration.toFixed(2) : '…'} s`;
    this.#time.textContent = words;
    this.#line.setAttribute('aria-valuetext', words);
  }
}
