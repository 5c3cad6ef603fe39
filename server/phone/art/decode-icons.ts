import { type Image, loadImage } from '@napi-rs/canvas';
import type { InstallableApp } from '../../device/app-package.ts';

/** The icons of apps by identifier. One that cannot be decoded is left out, since it must not prevent the installation. */
export async function decodeIcons(apps: readonly Pick<InstallableApp, 'app'>[]): Promise<ReadonlyMap<string, Image>> {
  const icons = new Map<string, Image>();
  for (const { app } of apps) {
    if (!app.icon) continue;
    try {
      icons.set(app.identifier, await loadImage(app.icon));
    } catch {
      // The phone draws a letter instead.
    }
  }
  return icons;
}
