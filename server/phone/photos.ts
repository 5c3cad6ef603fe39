import { DeviceFault } from '../device/fault.ts';
import type { Sprite } from './draw/sprite.ts';
import type { Size } from './geometry.ts';

/** A picture of the library. */
export interface Photo extends Size {
  readonly name: string;
  /** Square, `PhotoSizes.thumbnail` pixels wide. */
  readonly thumbnail: Sprite;
  /** Decodes it, as large as it fits and no larger than it is. */
  fitting(room: Size): Promise<Sprite>;
}

/** What a photo is prepared for, in pixels. */
export interface PhotoSizes {
  readonly thumbnail: number;
  /** Of the longer edge that is kept. */
  readonly edge: number;
}

/** A phone keeps its pictures in memory. */
const PHOTOS_MAX = 100;
/** Thumbnails side by side in portrait. */
export const PHOTO_COLUMNS = 3;

/** The pictures of one phone, newest first. */
export class PhotoLibrary {
  readonly sizes: PhotoSizes;
  readonly #onChange: () => void;
  #photos: readonly Photo[] = [];

  constructor({ width, height }: Size, onChange: () => void) {
    this.sizes = { thumbnail: Math.floor(Math.min(width, height) / PHOTO_COLUMNS), edge: Math.max(width, height) };
    this.#onChange = onChange;
  }

  get photos(): readonly Photo[] {
    return this.#photos;
  }

  /** Throws a `DeviceFault` when it is full. */
  add(photo: Photo): void {
    if (this.#photos.length >= PHOTOS_MAX) {
      throw new DeviceFault('failed', `The photo library has ${PHOTOS_MAX} pictures, and takes no more.`);
    }
    this.#photos = [photo, ...this.#photos];
    this.#onChange();
  }

  /** Removes those with these names. */
  remove(isGone: (name: string) => boolean): void {
    this.#photos = this.#photos.filter(({ name }) => !isGone(name));
    this.#onChange();
  }
}
