import type { VirtualPhone } from '../../../server/phone/phone.ts';
import type { Photo } from '../../../server/phone/photos.ts';
import { Containers } from './containers.ts';

/** An app that was installed. */
export interface GuestApp {
  /** The folder that it came in. */
  readonly path: string;
  readonly identifier: string;
  readonly schemes: readonly string[];
  /** Files of the app's folder. */
  readonly files: readonly string[];
}

/** What is on the disk of a guest: it stays when the guest is turned off, and a copy of its simulator has a copy of it. */
export class GuestDisk {
  readonly installed: GuestApp[] = [];
  readonly containers: Containers;
  /** What was decided of permissions: access, service and app. */
  readonly privacy: (readonly [string, string, string])[] = [];
  /** The size of text, by the name that simctl has for it. */
  contentSize = 'large';
  /** How many test cards the browser has shown: pages remember it. */
  visits = 0;
  #settings: Pick<VirtualPhone['settings'], 'appearance' | 'locale' | 'textScale'> | undefined;
  #photos: readonly Photo[] = [];

  constructor(containers = new Containers()) {
    this.containers = containers;
  }

  copy(): GuestDisk {
    const copy = new GuestDisk(this.containers.copy());
    copy.installed.push(...this.installed);
    copy.privacy.push(...this.privacy);
    copy.contentSize = this.contentSize;
    copy.visits = this.visits;
    copy.#settings = this.#settings;
    copy.#photos = this.#photos;
    return copy;
  }

  /** Takes what a phone has changed. */
  take({ settings, photos }: VirtualPhone, visits: number): void {
    const { appearance, locale, textScale } = settings;
    this.#settings = { appearance, locale, textScale };
    this.#photos = photos.photos;
    this.visits = visits;
  }

  /** Gives a phone that starts what is here. */
  give({ settings, photos }: VirtualPhone): void {
    for (const photo of [...this.#photos].reverse()) photos.add(photo);
    if (!this.#settings) return;
    const { appearance, locale, textScale } = this.#settings;
    settings.setAppearance(appearance);
    settings.setLocale(locale);
    settings.setTextScale(textScale);
  }

  erase(): void {
    this.containers.close();
  }
}
