import { basename } from 'node:path';
import { decodePhoto } from '../../../server/drivers/virtual/photo.ts';
import type { DeviceFiles } from './adb-files.ts';
import type { GuestPhone } from './guest-phone.ts';

/** A row of the library: a file that the scanner has read. */
interface Row {
  readonly path: string;
  readonly kind: 'images' | 'video';
}

/** Android's media provider: it knows files once the scanner was told of them, and takes them by their content. */
export class MediaProvider {
  readonly rows: Row[] = [];
  readonly #files: DeviceFiles;
  readonly #guest: GuestPhone;

  constructor(files: DeviceFiles, guest: GuestPhone) {
    this.#files = files;
    this.#guest = guest;
  }

  async scan(uri: string): Promise<void> {
    const path = /^file:\/\/(\/sdcard\/.*)$/.exec(uri)?.[1] ?? '';
    const file = this.#files.get(path);
    if (!file || this.rows.some((row) => row.path === path)) return;
    if (file.toString('latin1', 4, 8) === 'ftyp') return void this.rows.push({ path, kind: 'video' });
    const { photos } = this.#guest.phone;
    const photo = await decodePhoto(basename(path), file, photos.sizes).catch(() => undefined);
    if (!photo) return;
    photos.add(photo);
    this.rows.push({ path, kind: 'images' });
  }

  /** `content query` and `content delete`, of what this service asks: a name, or a part of the path. */
  answer([verb, ...words]: readonly string[]): string {
    const after = (option: string) => words[words.indexOf(option) + 1] ?? '';
    const kind = /^content:\/\/media\/external\/(images|video)\/media$/.exec(after('--uri'))?.[1];
    const name = /^_display_name='([^']*)'$/.exec(after('--where'))?.[1];
    const part = /^_data LIKE '%([^%']*)%'$/.exec(after('--where'))?.[1];
    const meant = this.rows.filter(
      (row) => row.kind === kind && (basename(row.path) === name || (part !== undefined && row.path.includes(part))),
    );
    if (verb === 'query') {
      const lines = meant.map(({ path }, index) => `Row: ${index} _display_name=${basename(path)}\n`);
      return lines.length === 0 ? 'No result found.\n' : lines.join('');
    }
    for (const row of verb === 'delete' ? meant : []) {
      this.rows.splice(this.rows.indexOf(row), 1);
      this.#files.delete(row.path);
      this.#guest.phone.photos.remove((photo) => photo === basename(row.path));
    }
    return '';
  }
}
