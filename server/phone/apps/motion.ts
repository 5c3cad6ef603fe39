import type { Rect } from '../../device/driver.ts';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import { drawSprite, type Sprite } from '../draw/sprite.ts';
import type { Environment } from '../environment.ts';
import type { Size } from '../geometry.ts';
import type { SavedMotion } from '../saved-state.ts';
import type { App, AppDefinition } from './app.ts';

const BACKGROUND = colour(0x0d1024);
const BALLS = ['#ff6b8b', '#ffd166', '#4ee1a0', '#58b8ff', '#b38bff'];
/** Speeds are odd multiples, so that the scene repeats only after minutes. */
const SPEEDS = [0.00071, 0.00113, 0.00089, 0.00131, 0.00101];
/** Speed of the hills, in points per second. */
const HILL_SPEED = 90;

/** A scene in constant motion, as a load for tests of streaming. It depends on the animation time alone. */
class Motion implements App {
  readonly id = 'motion';
  readonly background = BACKGROUND;
  readonly immersive = false;
  readonly #environment: Environment;
  #startMs: number;
  #size: Size = { width: 1, height: 1 };
  #art: { readonly hills: Sprite; readonly balls: readonly Sprite[] } | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#startMs = environment.animationMs();
  }

  resize(size: Size): void {
    if (size.width === this.#size.width && size.height === this.#size.height) return;
    this.#size = size;
    this.#art = undefined;
  }

  touch(): void {}

  animating(): boolean {
    return true;
  }

  memoryWarning(): void {
    this.#art = undefined;
  }

  /** The moving area: between a third and a half of the app. */
  #stage(): Rect {
    const { px } = this.#environment.theme;
    const { width, height } = this.#size;
    const stageHeight = Math.round(height * 0.52);
    const y = Math.max(px(62), Math.min(px(150), height - stageHeight - px(100)));
    return { x: 0, y, width, height: stageHeight };
  }

  paint(scene: Scene, animationMs: number): void {
    const { px, fonts } = this.#environment.theme;
    const elapsedMs = animationMs - this.#startMs;
    const stage = this.#stage();
    const left = px(20);
    scene.label('Motion', left, px(48), fonts.title, colour(0xffffff), 'left', { role: 'heading' });
    const seconds = `${(elapsedMs / 1000).toFixed(2)} s`;
    scene.label(seconds, this.#size.width - left, px(47), fonts.heading, colour(0x9aa4d0), 'right');
    const below = stage.y + stage.height;
    scene.label('A picture that never stands still', left, below + px(34), fonts.strong, colour(0xe8ebff));
    scene.label('Use it to watch a stream at its full rate', left, below + px(58), fonts.caption, colour(0x9aa4d0));
    scene.node({ role: 'image', name: 'Moving balls', id: 'motion.stage' }, stage);
    scene.within(stage, () => this.#paintStage(scene, stage, elapsedMs));
  }

  #paintStage(scene: Scene, stage: Rect, elapsedMs: number): void {
    const { px } = this.#environment.theme;
    this.#art ??= drawArt(stage, px(72));
    const { hills, balls } = this.#art;
    const shift = Math.floor((elapsedMs * px(HILL_SPEED)) / 1000) % stage.width;
    scene.sprite(hills, -shift, 0);
    balls.forEach((ball, index) => {
      const speed = SPEEDS[index] ?? 0.001;
      const across = 0.5 + 0.5 * Math.sin(elapsedMs * speed + index * 1.7);
      const along = Math.abs(Math.cos(elapsedMs * speed * 1.9 + index));
      const x = Math.round(across * (stage.width - ball.width));
      const y = Math.round((1 - along) * (stage.height - ball.height));
      scene.sprite(ball, x, y);
    });
  }

  save(): SavedMotion {
    // To the microsecond, which survives that a start is made of it and an end again.
    return { elapsedMs: Math.round((this.#environment.animationMs() - this.#startMs) * 1_000) / 1_000 };
  }

  restore({ elapsedMs }: SavedMotion): void {
    this.#startMs = this.#environment.animationMs() - elapsedMs;
  }

  inspect(): Readonly<Record<string, unknown>> {
    return { elapsedMs: this.#environment.animationMs() - this.#startMs };
  }
}

/** Draws the balls, and the hills twice side by side, so that a strip shifted by any amount fills the stage. */
function drawArt(stage: Rect, size: number) {
  const hills = drawSprite(stage.width * 2, stage.height, (context) => {
    const sky = context.createLinearGradient(0, 0, 0, stage.height);
    sky.addColorStop(0, '#1b2257');
    sky.addColorStop(0.6, '#5a3f8f');
    sky.addColorStop(1, '#e0708a');
    context.fillStyle = sky;
    context.fillRect(0, 0, stage.width * 2, stage.height);
    for (const [level, shade] of ['#4a3a86', '#34306f', '#1f2352'].entries()) {
      const turns = level + 2;
      context.fillStyle = shade;
      context.beginPath();
      context.moveTo(0, stage.height);
      for (let x = 0; x <= stage.width * 2; x += 2) {
        const wave = Math.sin((x / stage.width) * Math.PI * 2 * turns + level * 2);
        context.lineTo(x, stage.height * (0.6 + level * 0.13 + wave * (0.07 - level * 0.015)));
      }
      context.lineTo(stage.width * 2, stage.height);
      context.fill();
    }
  });
  const balls = BALLS.map((hue) =>
    drawSprite(size, size, (context) => {
      const light = context.createRadialGradient(size * 0.36, size * 0.32, size * 0.05, size / 2, size / 2, size / 2);
      light.addColorStop(0, '#ffffff');
      light.addColorStop(0.35, hue);
      light.addColorStop(1, hue);
      context.fillStyle = light;
      context.arc(size / 2, size / 2, size / 2 - 1, 0, Math.PI * 2);
      context.fill();
    }),
  );
  return { hills, balls };
}

export const motion: AppDefinition = {
  id: 'motion',
  name: 'Motion',
  docked: false,
  create: (environment) => new Motion(environment),
};
