import type { Rect } from '../../device/driver.ts';
import { type Colour, colour } from '../draw/colour.ts';
import { SCROLL, TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Sprite } from '../draw/sprite.ts';
import type { Environment } from '../environment.ts';
import { contains, type Pixel, type Size } from '../geometry.ts';
import type { Photo } from '../photos.ts';
import type { App, AppDefinition, TouchEvent } from './app.ts';
import { Press } from './press.ts';
import { ScrollView } from './scroll-view.ts';

const BLACK = colour(0x000000);
/** Points above the grid. */
const TOP = { portrait: 62, turned: 54 };

/** A picture that is shown by itself. */
interface Opened {
  readonly photo: Photo;
  /** Decoded for this room; absent until it is. */
  readonly sprite?: Sprite;
}

/** The pictures that were added to the phone, in a grid; one that is tapped is shown by itself, until it is tapped. */
class Photos implements App {
  readonly id = 'photos';
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #view: ScrollView;
  readonly #press: Press<Photo>;
  #size: Size = { width: 1, height: 1 };
  #opened: Opened | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#view = new ScrollView(environment);
    this.#press = new Press(environment.theme.px(10));
  }

  get background(): Colour {
    return this.#opened ? BLACK : this.#environment.theme.palette.background;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#layOut();
    if (this.#opened) this.#open(this.#opened.photo);
  }

  touch(event: TouchEvent): void {
    this.#layOut();
    const at = event.points[0];
    if (!this.#opened) this.#view.touch(event);
    if (event.phase === 'cancel') return this.#press.cancel();
    if (!at) return;
    if (event.phase === 'begin') this.#press.begin(this.#opened?.photo ?? this.#photoAt(at), at);
    else this.#press.move(at);
    const photo = event.phase === 'end' ? this.#press.end() : undefined;
    if (!photo) return;
    if (this.#opened) this.back();
    else this.#open(photo);
  }

  back(): boolean {
    if (!this.#opened) return false;
    this.#opened = undefined;
    this.#environment.changed();
    return true;
  }

  scroll(_deltaX: number, deltaY: number): void {
    this.#layOut();
    if (!this.#opened) this.#view.scrollBy(deltaY);
  }

  animating(animationMs: number): boolean {
    return this.#view.animating(animationMs);
  }

  #open(photo: Photo): void {
    const opened: Opened = { photo };
    this.#opened = opened;
    this.#environment.log('photo', { name: photo.name });
    this.#environment.changed();
    photo.fitting(this.#size).then(
      (sprite) => {
        // Another one may be shown by now, or this one in another room.
        if (this.#opened !== opened) return;
        this.#opened = { photo, sprite };
        this.#environment.changed();
      },
      // The thumbnail stays.
      () => undefined,
    );
  }

  get #top(): number {
    const { px } = this.#environment.theme;
    return px(this.#size.width > this.#size.height ? TOP.turned : TOP.portrait);
  }

  /** Pixels from one picture to the next, and how many stand side by side. */
  get #grid(): { readonly cell: number; readonly columns: number } {
    const cell = this.#environment.photos.sizes.thumbnail;
    return { cell, columns: Math.max(1, Math.floor(this.#size.width / cell)) };
  }

  #layOut(): void {
    const { cell, columns } = this.#grid;
    const rows = Math.ceil(this.#environment.photos.photos.length / columns);
    this.#view.resize(rows * cell + this.#environment.theme.px(24), this.#size.height - this.#top);
  }

  /** In pixels of the grid's visible part. */
  #placeOf(index: number, offset: number): Rect {
    const { cell, columns } = this.#grid;
    const gap = this.#environment.theme.px(2);
    const [x, y] = [(index % columns) * cell, Math.floor(index / columns) * cell - offset];
    return { x, y, width: cell - gap, height: cell - gap };
  }

  #photoAt(at: Pixel): Photo | undefined {
    if (at.y < this.#top) return undefined;
    const inGrid = { x: at.x, y: at.y - this.#top };
    const offset = this.#view.offset();
    return this.#environment.photos.photos.find((_, index) => contains(this.#placeOf(index, offset), inGrid));
  }

  paint(scene: Scene, animationMs: number, seen: Size): void {
    if (this.#opened) this.#paintOpened(scene, this.#opened, seen);
    else this.#paintGrid(scene, animationMs, seen);
  }

  #paintGrid(scene: Scene, animationMs: number, { width, height }: Size): void {
    const { palette, fonts, px } = this.#environment.theme;
    const { photos } = this.#environment.photos;
    const top = this.#top;
    scene.label('Photos', px(20), top - px(17), fonts.title, palette.text, 'left', { role: 'heading' });
    if (photos.length === 0) {
      scene.label('No photos', width / 2, top + px(60), fonts.body, palette.secondary, 'centre');
      return;
    }
    const area = { x: 0, y: top, width, height: height - top };
    const offset = this.#view.offset(animationMs);
    const places = photos.map((photo, index) => ({ photo, index, place: this.#placeOf(index, offset) }));
    const inSight = places.filter(({ place }) => place.y + place.height > 0 && place.y < area.height);
    const before = inSight[0]?.index ?? 0;
    const after = photos.length - before - inSight.length;
    const names = photos.slice(before + inSight.length, before + inSight.length + 3).map(({ name }) => name);
    const facts = { role: 'list', name: 'Photos', id: 'photos.grid', actions: SCROLL } as const;
    scene.node({ ...facts, offScreen: { before, after, names } }, area, () => {
      scene.within(area, () => {
        for (const { photo, index, place } of inSight) {
          scene.node({ role: 'image', name: photo.name, id: `photos.${index + 1}`, actions: TAP }, place, () => {
            scene.within(place, () => scene.sprite(photo.thumbnail, 0, 0));
          });
        }
      });
    });
  }

  #paintOpened(scene: Scene, { photo, sprite = photo.thumbnail }: Opened, { width, height }: Size): void {
    const whole = { x: 0, y: 0, width, height };
    scene.rect(whole, BLACK);
    scene.node({ role: 'image', name: photo.name, id: 'photos.opened', actions: TAP }, whole, () => {
      scene.sprite(sprite, Math.round((width - sprite.width) / 2), Math.round((height - sprite.height) / 2));
    });
  }

  /** The pictures are no part of a saved state, nor is what is shown of them. */
  save(): Readonly<Record<string, never>> {
    return {};
  }

  restore(): void {
    this.back();
  }

  inspect(): Readonly<Record<string, unknown>> {
    const { photos } = this.#environment.photos;
    const opened = this.#opened?.photo.name;
    return { photos: photos.map(({ name }) => name), opened, decoded: this.#opened?.sprite !== undefined };
  }
}

export const photos: AppDefinition = {
  id: 'photos',
  name: 'Photos',
  docked: false,
  create: (environment) => new Photos(environment),
};
