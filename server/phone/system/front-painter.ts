import type { Rect } from '../../device/driver.ts';
import type { App } from '../apps/app.ts';
import type { Command } from '../draw/command.ts';
import { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { SETTLED } from '../glide.ts';
import type { KeyboardSlides } from './keyboard-slides.ts';
import { layoutOf } from './layout.ts';
import type { OnScreenKeyboard } from './on-screen-keyboard.ts';
import { renderDebug } from './render-debug.ts';

/** Paints apps with the keyboard over them, wherever their pictures are needed. */
export class FrontPainter {
  readonly #environment: Environment;
  readonly #keyboard: OnScreenKeyboard;
  readonly #slides: KeyboardSlides;
  readonly #nameOf: (app: App) => string;

  constructor(
    environment: Environment,
    keyboard: OnScreenKeyboard,
    slides: KeyboardSlides,
    nameOf: (app: App) => string,
  ) {
    this.#environment = environment;
    this.#keyboard = keyboard;
    this.#slides = slides;
    this.#nameOf = nameOf;
  }

  /** An app's whole picture, with the keyboard over it if `withKeyboard`, and without the bars of the system. */
  paintApp(app: App, animationMs: number, withKeyboard = true): readonly Command[] {
    return this.picture((scene) => this.paintAppInto(scene, app, animationMs, withKeyboard));
  }

  /** A picture of the whole size. */
  picture(paint: (scene: Scene) => void): readonly Command[] {
    const { width, height } = this.#environment.state.size;
    const scene = new Scene(width, height, renderDebug(this.#environment.state.renderOptions));
    paint(scene);
    return scene.commands;
  }

  paintAppInto(scene: Scene, app: App, animationMs: number, withKeyboard = true): void {
    const { picture, viewport } = layoutOf(
      { ...this.#environment.state, keyboardShown: false },
      this.#environment.theme,
      app.immersive,
    );
    const above = withKeyboard && !app.immersive ? this.keyboardTop(app.id, animationMs) : picture.height;
    const height = Math.min(viewport.height, above - viewport.y);
    const seen = { width: viewport.width, height };
    // What an app itself moves, such as a list, is touched where it is.
    const appMs = animationMs === SETTLED ? this.#environment.animationMs() : animationMs;
    scene.rect(picture, app.background);
    scene.node({ role: 'app', name: this.#nameOf(app), id: app.id }, { ...viewport, height }, () => {
      scene.within({ ...viewport, height }, () => app.paint(scene, appMs, seen));
    });
    if (withKeyboard) this.paintKeyboard(scene, app.id, animationMs);
  }

  /** The upper edge of the keyboard over an app, or over a part of the system, on its way in or out. */
  keyboardTop(owner: string, animationMs: number): number {
    const { height } = this.#environment.state.size;
    const share = this.#slides.share(owner, animationMs);
    return height - Math.round((height - this.#keyboardArea.y) * share);
  }

  get #keyboardArea(): Rect {
    const { keyboard, picture } = layoutOf(
      { ...this.#environment.state, keyboardShown: true },
      this.#environment.theme,
      false,
    );
    return keyboard ?? picture;
  }

  paintKeyboard(scene: Scene, owner: string, animationMs: number): void {
    const top = this.keyboardTop(owner, animationMs);
    const { width, height } = this.#environment.state.size;
    if (top < height) this.#keyboard.paint(scene, { ...this.#keyboardArea, y: top }, { width, height });
  }
}
