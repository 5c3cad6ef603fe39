import { PLATFORMS, type Platform, type SessionRecord } from '@runcloud/protocol';
import { BUILT_IN_APPS } from '../../server/device/virtual/apps/catalogue.ts';
import { centre } from '../../server/device/virtual/geometry.ts';
import { homeLayout } from '../../server/device/virtual/system/home-layout.ts';
import { layoutOf } from '../../server/device/virtual/system/layout.ts';
import { createTheme } from '../../server/device/virtual/theme.ts';
import type { Environment } from '../../server/settings.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the suite must know of a driver: how to start the service with it, and where its apps are. */
export interface DriverUnderTest {
  readonly name: string;
  readonly environment: Environment;
  readonly platforms: readonly Platform[];
  /** Where to tap on the home screen, in portrait, to open an app. */
  icon(session: SessionRecord, app: string): Point;
}

const virtual: DriverUnderTest = {
  name: 'virtual',
  environment: { RUNCLOUD_DEVICES: 'virtual-ios:4,virtual-android:4' },
  platforms: PLATFORMS,
  icon({ platform, device: { width, height, scale } }, app) {
    const theme = createTheme(platform, scale);
    const state = { size: { width, height }, keyboardShown: false } as Parameters<typeof layoutOf>[0];
    const home = homeLayout(BUILT_IN_APPS, 0, layoutOf(state, theme, false), theme);
    const place = home.places.find((other) => other.app.id === app);
    if (!place) throw new Error(`no icon for ${app}`);
    const { x, y } = centre(place.icon);
    return { x: (x + 0.5) / width, y: (y + 0.5) / height };
  },
};

/** Every driver that this host can run; the whole suite runs on each of them. */
export const DRIVERS: readonly DriverUnderTest[] = [virtual];
