import type { Decision } from '@runcloud/protocol';
import { PERMISSIONS } from '@runcloud/protocol/terms';
import type { Rect } from '../../device/driver.ts';
import { appIcon } from '../art/app-icons.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import { clockText } from '../environment.ts';
import type { Size } from '../geometry.ts';
import { permissionState } from '../permissions.ts';
import { fit } from '../text/fit.ts';
import { breakLines, type Line } from '../text/lines.ts';
import type { Theme } from '../theme.ts';
import type { AppDefinition } from './app.ts';

/** What reaches an app. */
export const APP_EVENTS = ['launched', 'foreground', 'background', 'url', 'notification', 'memory warning'] as const;

/** Something that happened to the app. */
export interface AppEvent {
  readonly wallMs: number;
  readonly type: (typeof APP_EVENTS)[number];
}

/** The app's view. */
export interface InstalledAppPage {
  readonly definition: AppDefinition;
  readonly identifier: string;
  readonly version: string;
  /** The URL with which it was last opened. */
  readonly url: string | undefined;
  /** It was started with these. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Newest last. */
  readonly events: readonly AppEvent[];
  /** What was decided of what it may use; it can ask for the others. */
  readonly permissions: readonly Decision[];
}

/** Places the page from its top; it may be longer than the screen. */
export function installedAppLayout(page: InstalledAppPage, size: Size, { px, line, fonts }: Theme) {
  const { url, events } = page;
  const margin = px(16);
  const width = size.width - 2 * margin;
  const pad = px(16);
  const lineHeight = line(20);
  const given = Object.entries(page.arguments).map(([name, value]) => `${name}=${value}`);
  const shownUrl = [url ?? 'Not opened with a URL yet', ...given].join('\n');
  const lines = breakLines(shownUrl, fonts.caption, width - 2 * pad);
  const header = { x: margin, y: px(20), width, height: px(84) };
  const urlCard = {
    x: margin,
    y: header.y + header.height + px(16),
    width,
    height: px(52) + lines.length * lineHeight,
  };
  const below = urlCard.y + urlCard.height + px(16);
  const eventsCard = { x: margin, y: below, width, height: px(52) + Math.max(1, events.length) * px(26) };
  const afterEvents = eventsCard.y + eventsCard.height + px(16);
  const rowHeight = px(40);
  const permissionsCard = { x: margin, y: afterEvents, width, height: px(52) + PERMISSIONS.length * rowHeight };
  const permissionRows = PERMISSIONS.map((permission, index) => {
    const row = { x: margin, y: permissionsCard.y + px(44) + index * rowHeight, width, height: rowHeight };
    return { permission, row, state: permissionState(page.permissions, page.definition.id, permission) };
  });
  const contentHeight = permissionsCard.y + permissionsCard.height + px(40);
  return {
    header,
    urlCard,
    eventsCard,
    permissionsCard,
    permissionRows,
    pad,
    lineHeight,
    shownUrl,
    lines,
    contentHeight,
  };
}

export function paintInstalledApp(
  scene: Scene,
  size: Size,
  theme: Theme,
  page: InstalledAppPage,
  offset: number,
): void {
  const layout = installedAppLayout(page, size, theme);
  scene.within({ x: 0, y: 0, ...size }, () => {
    paintHeader(scene, theme, page, raised(layout.header, offset));
    paintUrl(scene, theme, raised(layout.urlCard, offset), layout, page.url !== undefined, size.height);
    paintEvents(scene, theme, raised(layout.eventsCard, offset), layout.pad, page.events);
    paintPermissions(scene, theme, layout, offset);
  });
}

const raised = (area: Rect, offset: number): Rect => ({ ...area, y: area.y - offset });

function paintHeader(
  scene: Scene,
  theme: Theme,
  { definition, identifier, version }: InstalledAppPage,
  area: Rect,
): void {
  const { px, fonts, palette } = theme;
  const side = px(72);
  scene.sprite(appIcon(definition, theme.platform, side), area.x, area.y + px(6), 'icon');
  const left = area.x + side + px(16);
  const room = area.x + area.width - left;
  const { name } = definition;
  const shown = fit(name, fonts.heading, room);
  scene.label(shown, left, area.y + px(30), fonts.heading, palette.text, 'left', { role: 'heading', name });
  const below = fit(identifier, fonts.caption, room);
  scene.label(below, left, area.y + px(54), fonts.caption, palette.secondary, 'left', { name: identifier });
  const about = version === '' ? 'No version' : `Version ${version}`;
  const last = fit(about, fonts.caption, room);
  scene.label(last, left, area.y + px(74), fonts.caption, palette.secondary, 'left', { name: about });
}

interface UrlLines {
  readonly pad: number;
  readonly lineHeight: number;
  readonly shownUrl: string;
  readonly lines: readonly Line[];
}

/** Paints the whole URL, on as many lines as it needs, so that a test can read all of it. */
function paintUrl(scene: Scene, theme: Theme, area: Rect, text: UrlLines, opened: boolean, height: number): void {
  const { px, fonts, palette } = theme;
  scene.node({ role: 'text', name: 'Opened with', value: text.shownUrl, id: 'app.url' }, area);
  scene.round(area, theme.cardRadius, palette.card);
  scene.text('Opened with', area.x + text.pad, area.y + px(30), fonts.strong, palette.text);
  const ink = opened ? palette.accent : palette.secondary;
  text.lines.forEach(({ from, to }, index) => {
    const baseline = area.y + px(56) + index * text.lineHeight;
    if (baseline < 0 || baseline > height + text.lineHeight) return;
    scene.text(text.shownUrl.slice(from, to), area.x + text.pad, baseline, fonts.caption, ink);
  });
}

function paintEvents(scene: Scene, theme: Theme, area: Rect, pad: number, events: readonly AppEvent[]): void {
  const { px, fonts, palette, platform } = theme;
  scene.round(area, theme.cardRadius, palette.card);
  scene.label('Events', area.x + pad, area.y + px(30), fonts.strong, palette.text, 'left', { role: 'heading' });
  [...events].reverse().forEach(({ wallMs, type }, index) => {
    const baseline = area.y + px(58) + index * px(26);
    scene.label(type, area.x + pad, baseline, fonts.caption, palette.text);
    const right = area.x + area.width - pad;
    scene.text(clockText(wallMs, platform), right, baseline, fonts.caption, palette.secondary, 'right');
  });
}

/** A row whose permission is undecided asks for it when it is tapped. */
function paintPermissions(
  scene: Scene,
  theme: Theme,
  { permissionsCard, permissionRows, pad }: ReturnType<typeof installedAppLayout>,
  offset: number,
): void {
  const { px, fonts, palette } = theme;
  const area = raised(permissionsCard, offset);
  scene.round(area, theme.cardRadius, palette.card);
  scene.label('Permissions', area.x + pad, area.y + px(30), fonts.strong, palette.text, 'left', { role: 'heading' });
  for (const { permission, state, row } of permissionRows) {
    const place = raised(row, offset);
    const baseline = place.y + place.height / 2 + px(5);
    const asks = state === 'undecided';
    const role = asks ? 'button' : 'text';
    const id = `app.permission.${permission}`;
    scene.node({ role, name: permission, value: state, id, ...(asks && { actions: TAP }) }, place, () => {
      scene.text(permission, place.x + pad, baseline, fonts.caption, palette.text);
      const ink = state === 'denied' ? palette.secondary : palette.accent;
      scene.text(asks ? 'Ask' : state, place.x + place.width - pad, baseline, fonts.caption, ink, 'right');
    });
  }
}
