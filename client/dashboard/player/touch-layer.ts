import { element } from '../../page/element.ts';
import type { TouchTrack } from './touch-track.ts';

/** Draws fingers over a video, for as long as it plays and at each place that it is moved to. */
export class TouchLayer {
  readonly element = element('div', { class: 'touches', 'aria-hidden': 'true' });
  readonly #video: HTMLVideoElement;
  readonly #dots: HTMLElement[] = [];
  #track: TouchTrack | undefined;
  #isFollowing = false;

  constructor(video: HTMLVideoElement, leaving: AbortSignal) {
    this.#video = video;
    const follow = () => this.#follow(leaving);
    for (const change of ['play', 'seeking', 'seeked', 'timeupdate']) {
      video.addEventListener(change, follow, { signal: leaving });
    }
  }

  show(track: TouchTrack): void {
    this.#track = track;
    this.#draw();
  }

  #follow(leaving: AbortSignal): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const next = () => {
      this.#draw();
      this.#isFollowing = !this.#video.paused && !leaving.aborted;
      if (this.#isFollowing) requestAnimationFrame(next);
    };
    next();
  }

  #draw(): void {
    const touches = this.#track?.at(this.#video.currentTime * 1_000) ?? [];
    while (this.#dots.length < touches.length) {
      const dot = element('i');
      this.#dots.push(dot);
      this.element.append(dot);
    }
    for (const [index, dot] of this.#dots.entries()) {
      const touch = touches[index];
      dot.hidden = touch === undefined;
      if (!touch) continue;
      dot.className = touch.isDown ? 'down' : '';
      dot.style.left = `${touch.x * 100}%`;
      dot.style.top = `${touch.y * 100}%`;
      dot.style.opacity = String(touch.strength);
    }
  }
}
