import type { FileEntry } from '@runcloud/protocol';
import type { Rect } from '../../device/driver.ts';
import type { Colour } from '../draw/colour.ts';
import { SCROLL, TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { contains, type Pixel, type Size } from '../geometry.ts';
import type { SavedFilesApp } from '../saved-state.ts';
import { fit, fitEnd } from '../text/fit.ts';
import type { App, AppDefinition, TouchEvent } from './app.ts';
import { Press } from './press.ts';
import { ScrollView } from './scroll-view.ts';

const ROOT = 'shared';
/** Points above the list. */
const TOP = { portrait: 62, turned: 54 };

/** A row, or the way up. */
type Target = FileEntry | 'up';

/** The shared folder of the phone: a tap on a folder opens it, and one on the heading leads up. */
class Files implements App {
  readonly id = 'files';
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #view: ScrollView;
  readonly #press: Press<Target>;
  #size: Size = { width: 1, height: 1 };
  /** Of the open folder. */
  #path = '';

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#view = new ScrollView(environment);
    this.#press = new Press(environment.theme.px(10));
  }

  get background(): Colour {
    return this.#environment.theme.palette.background;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#layOut();
  }

  touch(event: TouchEvent): void {
    this.#layOut();
    const at = event.points[0];
    this.#view.touch(event);
    if (event.phase === 'cancel') return this.#press.cancel();
    if (!at) return;
    if (event.phase === 'begin') this.#press.begin(this.#targetAt(at), at);
    else this.#press.move(at);
    const target = event.phase === 'end' ? this.#press.end() : undefined;
    if (target === 'up') this.back();
    else if (target?.kind === 'folder') this.#open(this.#path === '' ? target.name : `${this.#path}/${target.name}`);
  }

  back(): boolean {
    this.#layOut();
    if (this.#path === '') return false;
    this.#open(this.#path.slice(0, Math.max(0, this.#path.lastIndexOf('/'))));
    return true;
  }

  scroll(_deltaX: number, deltaY: number): void {
    this.#layOut();
    this.#view.scrollBy(deltaY);
  }

  animating(animationMs: number): boolean {
    return this.#view.animating(animationMs);
  }

  #open(path: string): void {
    this.#path = path;
    this.#environment.log('folder', { path });
    this.#layOut();
    this.#view.restore(0);
    this.#environment.changed();
  }

  /** What is in the open folder, or in the nearest one above it that is still there. */
  get #entries(): readonly FileEntry[] {
    for (;;) {
      try {
        return this.#environment.files.list({ root: ROOT, path: this.#path }).entries;
      } catch {
        this.#path = this.#path.slice(0, Math.max(0, this.#path.lastIndexOf('/')));
      }
    }
  }

  get #top(): number {
    const { px } = this.#environment.theme;
    return px(this.#size.width > this.#size.height ? TOP.turned : TOP.portrait);
  }

  get #rowHeight(): number {
    return this.#environment.theme.px(52);
  }

  #layOut(): void {
    const room = this.#size.height - this.#top;
    this.#view.resize(this.#entries.length * this.#rowHeight + this.#environment.theme.px(24), room);
  }

  /** In pixels of the list's visible part. */
  #placeOf(index: number, offset: number): Rect {
    return { x: 0, y: index * this.#rowHeight - offset, width: this.#size.width, height: this.#rowHeight };
  }

  #targetAt(at: Pixel): Target | undefined {
    if (at.y < this.#top) return 'up';
    const inList = { x: at.x, y: at.y - this.#top };
    const offset = this.#view.offset();
    return this.#entries.find((_, index) => contains(this.#placeOf(index, offset), inList));
  }

  paint(scene: Scene, animationMs: number, { width, height }: Size): void {
    const { palette, fonts, px } = this.#environment.theme;
    const entries = this.#entries;
    const top = this.#top;
    const facts = { role: this.#path === '' ? 'heading' : 'button', name: this.#title, id: 'files.title' } as const;
    const bar = { x: 0, y: 0, width, height: top };
    scene.node(this.#path === '' ? facts : { ...facts, actions: TAP }, bar, () => {
      const title = this.#path === '' ? 'Files' : fitEnd(`‹ ${this.#title}`, fonts.title, width - px(40));
      scene.text(title, px(20), top - px(17), fonts.title, palette.text);
    });
    if (entries.length === 0) {
      scene.label('No files', width / 2, top + px(60), fonts.body, palette.secondary, 'centre');
      return;
    }
    const area = { x: 0, y: top, width, height: height - top };
    const offset = this.#view.offset(animationMs);
    const places = entries.map((entry, index) => ({ entry, index, place: this.#placeOf(index, offset) }));
    const inSight = places.filter(({ place }) => place.y + place.height > 0 && place.y < area.height);
    const before = inSight[0]?.index ?? 0;
    const behind = before + inSight.length;
    const names = entries.slice(behind, behind + 3).map(({ name }) => name);
    const list = { role: 'list', name: 'Files', id: 'files.list', actions: SCROLL } as const;
    scene.node({ ...list, offScreen: { before, after: entries.length - behind, names } }, area, () => {
      scene.within(area, () => {
        for (const { entry, index, place } of inSight) this.#paintRow(scene, entry, index, place);
      });
    });
  }

  #paintRow(scene: Scene, { name, kind, byteSize = 0 }: FileEntry, index: number, place: Rect): void {
    const { palette, fonts, px } = this.#environment.theme;
    const isFolder = kind === 'folder';
    const value = isFolder ? 'Folder' : sizeText(byteSize);
    const facts = { role: 'cell', name, value, id: `files.${index + 1}` } as const;
    scene.node(isFolder ? { ...facts, actions: TAP } : facts, place, () => {
      const baseline = place.y + Math.round(place.height / 2) + px(5.5);
      const mark = { x: px(20), y: place.y + Math.round(place.height / 2) - px(11), width: px(26), height: px(22) };
      if (isFolder) {
        scene.round({ ...mark, width: px(13), height: px(8) }, px(3), palette.accent);
        scene.round({ ...mark, y: mark.y + px(4), height: px(18) }, px(3), palette.accent);
      } else scene.round({ ...mark, x: px(24), width: px(18) }, px(3), palette.secondary);
      const right = place.width - px(20);
      const room = right - px(72) - fonts.caption.width(value);
      scene.text(fit(printable(name), fonts.body, room), px(58), baseline, fonts.body, palette.text);
      scene.text(value, right, baseline, fonts.caption, palette.secondary, 'right');
      scene.rect(
        { x: px(58), y: place.y + place.height - 1, width: place.width - px(58), height: 1 },
        palette.separator,
      );
    });
  }

  get #title(): string {
    return this.#path === '' ? 'Files' : printable(this.#path.slice(this.#path.lastIndexOf('/') + 1));
  }

  save(): SavedFilesApp {
    return { path: this.#path, offset: this.#view.offset() };
  }

  restore({ path, offset }: SavedFilesApp): void {
    this.#path = path;
    this.#layOut();
    this.#view.restore(offset);
  }

  inspect(): Readonly<Record<string, unknown>> {
    const entries = this.#entries;
    return { path: this.#path, files: entries.map(({ name }) => name), offset: this.#view.offset() };
  }
}

/** Control characters, and those that turn the direction of text, have no look of their own. */
const printable = (name: string): string => name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');

function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

export const files: AppDefinition = {
  id: 'files',
  name: 'Files',
  docked: false,
  create: (environment) => new Files(environment),
};
