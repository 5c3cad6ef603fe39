import type { Picture, Rect } from '../device/driver.ts';

/** What has changed between one picture and the next that a reader sees. */
export class PictureChanges {
  #version: number | undefined;

  /** The areas that differ from the picture before; `undefined` for the first, and when pictures in between went elsewhere. */
  upTo({ version, damage }: Pick<Picture, 'version' | 'damage'>): readonly Rect[] | undefined {
    const before = this.#version;
    this.#version = version;
    if (version === before) return [];
    return before !== undefined && version === before + 1 ? damage : undefined;
  }

  /** The next picture is the first. */
  forget(): void {
    this.#version = undefined;
  }
}
