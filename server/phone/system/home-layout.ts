import type { Rect } from '../../device/driver.ts';
import type { AppDefinition } from '../apps/app.ts';
import type { Theme } from '../theme.ts';
import type { Layout } from './layout.ts';

/** An app's icon, and the larger area around it that can be tapped. */
export interface Place {
  readonly app: AppDefinition;
  readonly icon: Rect;
  readonly area: Rect;
  readonly labelled: boolean;
}

export interface HomeLayout {
  /** The date and the time; absent on the last page. */
  readonly widget: Rect | undefined;
  /** The cards of the last page: the month, and this phone. */
  readonly cards: { readonly calendar: Rect; readonly about: Rect } | undefined;
  /** The row at the bottom; on Android it has no background. */
  readonly dock: Rect;
  readonly places: readonly Place[];
  readonly pages: number;
  /** Vertical centre of the page indicator. */
  readonly dotsY: number;
  /** The search field of Android. */
  readonly search: Rect | undefined;
}

/** Places one page of the home screen: the widget and the page's icons, or on the last one the cards; and the dock. */
export function homeLayout(apps: readonly AppDefinition[], page: number, layout: Layout, theme: Theme): HomeLayout {
  const { px, platform } = theme;
  const { width } = layout.picture;
  const ios = platform === 'ios';
  const { turned } = layout;
  const icon = px(turned ? 52 : ios ? 62 : 58);
  const margin = px(turned ? 40 : ios ? 16 : 14);
  const top = layout.statusBar.height + px(turned ? 6 : ios ? 14 : 26);
  const floor = layout.navigationBar.y;
  const search = !ios && !turned ? searchArea(px, width, floor) : undefined;
  const dockHeight = icon + px(ios ? (turned ? 16 : 30) : 20);
  const dockY = (search?.y ?? floor + px(ios && !turned ? 10 : 0)) - dockHeight - px(turned ? 2 : 6);
  const docked = apps.filter((app) => app.docked);
  const dockWidth = turned ? docked.length * (icon + px(26)) + px(14) : width - px(ios ? 24 : 28);
  const dock = { x: Math.round((width - dockWidth) / 2), y: dockY, width: dockWidth, height: dockHeight };
  const widget = turned
    ? { x: margin, y: top, width: px(260), height: px(132) }
    : { x: px(ios ? 22 : 26), y: top, width: width - px(ios ? 44 : 52), height: px(158) };
  const grid = turned
    ? { x: widget.x + widget.width + px(24), y: top, width: width - widget.width - px(24) - 2 * margin, height: 0 }
    : { x: margin, y: widget.y + widget.height + px(20), width: width - 2 * margin, height: 0 };
  const cell = icon + px(turned ? 30 : 38);
  const columns = 4;
  const rows = Math.max(1, Math.floor((dock.y - px(18) - grid.y) / cell));
  const loose = apps.filter((app) => !app.docked);
  const perPage = columns * rows;
  const shown = loose.slice(page * perPage, (page + 1) * perPage);
  const gridPlaces = shown.map((app, index) => {
    const cellWidth = grid.width / columns;
    const x = Math.round(grid.x + (index % columns) * cellWidth);
    const area = { x, y: grid.y + Math.floor(index / columns) * cell, width: Math.round(cellWidth), height: cell };
    return place(app, area, icon, true);
  });
  const padding = px(8);
  const slot = (dock.width - 2 * padding) / Math.max(1, docked.length);
  const dockPlaces = docked.map((app, index) => {
    const x = Math.round(dock.x + padding + index * slot);
    const area = { x, y: dock.y, width: Math.round(slot), height: dock.height };
    return { ...place(app, area, icon, false), icon: middleOf(area, icon) };
  });
  const pages = Math.max(1, Math.ceil(loose.length / perPage)) + 1;
  const isLast = page === pages - 1;
  return {
    widget: isLast ? undefined : widget,
    cards: isLast ? cardPlaces(layout, widget, dock, theme) : undefined,
    dock,
    search,
    places: [...gridPlaces, ...dockPlaces],
    pages,
    dotsY: dock.y - px(14),
  };
}

function cardPlaces({ picture, turned }: Layout, widget: Rect, dock: Rect, { px }: Theme) {
  const foot = dock.y - px(28);
  if (turned) {
    const height = foot - widget.y;
    const about = { x: widget.x + px(340), y: widget.y, width: px(260), height: Math.min(height, px(100)) };
    return { calendar: { x: widget.x, y: widget.y, width: px(320), height }, about };
  }
  const calendar = { ...widget, height: px(290) };
  const about = { ...widget, y: calendar.y + calendar.height + px(16), height: px(100) };
  return { calendar, about: { ...about, width: Math.min(about.width, picture.width - 2 * about.x) } };
}

function searchArea(px: Theme['px'], width: number, floor: number): Rect {
  return { x: px(22), y: floor - px(60), width: width - px(44), height: px(52) };
}

function place(app: AppDefinition, area: Rect, icon: number, labelled: boolean): Place {
  const x = area.x + Math.round((area.width - icon) / 2);
  return { app, area, labelled, icon: { x, y: area.y, width: icon, height: icon } };
}

function middleOf(area: Rect, icon: number): Rect {
  return {
    x: area.x + Math.round((area.width - icon) / 2),
    y: area.y + Math.round((area.height - icon) / 2),
    width: icon,
    height: icon,
  };
}
