import type { Orientation, Platform, UiNode } from '@runcloud/protocol';
import type { Test as Tap } from 'tap';
import { installedApp } from '../../server/phone/apps/installed-app.ts';
import type { Pixel } from '../../server/phone/geometry.ts';
import { differing, ManualPhone, words } from './manual-phone.ts';

export const TURNED: Readonly<Record<Platform, readonly Orientation[]>> = {
  ios: ['portrait', 'landscape_left', 'landscape_right'],
  android: ['portrait', 'portrait_upside_down', 'landscape_left', 'landscape_right'],
};

const FACTS = { identifier: 'com.example.shop', name: 'Shop', version: '1.0' };
const LINKS = { schemes: ['shop'], authorities: [], paths: [], autoVerify: false };
export const SHOPS = {
  ios: installedApp({ platform: 'ios', ...FACTS, urlSchemes: ['shop'], linkedHosts: [] }),
  android: installedApp({ platform: 'android', ...FACTS, activities: [{ name: 'Shop', filters: [LINKS] }] } as never),
};

export type Way = (phone: ManualPhone) => void;

const all = (nodes: readonly UiNode[]): readonly UiNode[] =>
  nodes.flatMap((node) => [node, ...all(node.children ?? [])]);
export const nodesOf = (phone: ManualPhone): readonly UiNode[] => all(phone.phone.describe().nodes);
const can = (node: UiNode, action: string): boolean => node.actions?.some((one) => one === action) ?? false;

/** A frame in pixels. */
function boxOf({ frame }: UiNode, { size }: ManualPhone) {
  const [left, top] = [Math.round(frame.x * size.width), Math.round(frame.y * size.height)];
  const [width, height] = [Math.round(frame.width * size.width), Math.round(frame.height * size.height)];
  return { left, top, right: left + width, bottom: top + height };
}

const middleOf = (node: UiNode, phone: ManualPhone): Pixel => {
  const { left, top, right, bottom } = boxOf(node, phone);
  return { x: (left + right) >> 1, y: (top + bottom) >> 1 };
};

/** The middle of the node of an id. */
export function placeOf(phone: ManualPhone, id: string): Pixel {
  const node = nodesOf(phone).find((one) => one.id === id);
  if (!node) throw new Error(`no node ${id}`);
  return middleOf(node, phone);
}

export const tap = (phone: ManualPhone, id: string): void => phone.tap(placeOf(phone, id));

export const open =
  (app: string): Way =>
  (phone) =>
    tap(phone, `home.${app}`);

/** Pulls the shade by a finger from the top. */
const pull =
  (share: number): Way =>
  (phone) => {
    const { width, height } = phone.size;
    const x = Math.round(width * share);
    phone.swipe({ x, y: 5 }, { x, y: Math.round(height * 0.6) });
  };

const then =
  (...ways: readonly Way[]): Way =>
  (phone) => {
    for (const way of ways) way(phone);
  };

/** Every app, panel and sheet; `undefined` where the platform has none. */
function places(platform: Platform): Readonly<Record<string, Way>> {
  const isIos = platform === 'ios';
  return {
    home: () => undefined,
    'the last page of home': (phone) => {
      const { width, height } = phone.size;
      phone.swipe({ x: width * 0.8, y: height / 2 }, { x: width * 0.2, y: height / 2 });
    },
    notes: open('notes'),
    'a text with a selection': then(open('notes'), (phone) => {
      phone.phone.clipboard = 'copied';
      phone.phone.typeText('several words\nin lines', phone.nextSeq());
      phone.press('a', ['meta']);
      tap(phone, 'notes.text');
      phone.tap({ x: phone.size.width >> 1, y: Math.round(phone.size.height * 0.3) }, 700);
    }),
    browser: open('browser'),
    'the address being edited': then(open('browser'), (phone) => tap(phone, 'browser.address')),
    'a page': then(open('browser'), (phone) => tap(phone, 'browser.favourite.1')),
    settings: open('settings'),
    'settings, scrolled': then(open('settings'), (phone) => phone.phone.scroll(0, 0.3, undefined, phone.nextSeq())),
    scroll: open('scroll'),
    motion: open('motion'),
    switcher: then(open('notes'), open2('settings'), (phone) => phone.button('recents')),
    search: (phone) => {
      const { width, height } = phone.size;
      const isInSight = nodesOf(phone).some(({ id }) => id === 'home.search');
      if (isInSight) tap(phone, 'home.search');
      else phone.swipe({ x: width >> 1, y: height * 0.3 }, { x: width >> 1, y: height * 0.8 });
    },
    notifications: then((phone) => phone.phone.simulateMemoryWarning(phone.nextSeq()), settle, pull(0.3)),
    ...(isIos ? { controls: pull(0.9) } : { menu: (phone: ManualPhone) => phone.button('menu') }),
    'the power menu': (phone) => phone.button('power', 1_200),
    locked: (phone) => {
      phone.button('power');
      phone.clock.advance(100);
      phone.button('power');
    },
    'a question': (phone) => void phone.phone.openUrl('shop:cart', phone.nextSeq()),
    'an installed app': open('com.example.shop'),
  };
}

export function open2(app: string): Way {
  return (phone) => {
    phone.button('home');
    tap(phone, `home.${app}`);
  };
}

/** Until nothing moves and no notice stands over the picture. */
function settle(phone: ManualPhone): void {
  phone.clock.advance(3_000);
}

export function phoneAt(platform: Platform, orientation: Orientation, way: Way): ManualPhone {
  const phone = new ManualPhone(platform, orientation, [SHOPS[platform]]);
  way(phone);
  settle(phone);
  return phone;
}

/** What has come of an input, in words of the phone's own model. */
function stateOf(phone: ManualPhone): string {
  const { events: _events, app, ...rest } = phone.phone.inspect();
  const { touches: _touches, elapsedMs: _elapsedMs, ...shown } = app;
  return JSON.stringify({ ...rest, app: shown });
}

const contains = (node: UiNode, phone: ManualPhone, { x, y }: Pixel): boolean => {
  const { left, top, right, bottom } = boxOf(node, phone);
  return x >= left && y >= top && x < right && y < bottom;
};

/** The keys of one keyboard are all made alike: some of them are tried. */
const isKey = ({ id }: UiNode): boolean => id?.startsWith('keyboard.') ?? false;

/** Holds the tree against the picture and against touches, in every place of a phone. */
export function holdTree(t: Tap, platform: Platform, orientation: Orientation, columns: number, rows: number): void {
  t.test(
    `${platform}, ${orientation}: a control that is pressed changes the picture within its frame alone`,
    async (t) => {
      let seen = 0;
      for (const [name, way] of Object.entries(places(platform))) {
        if (name === 'motion') continue;
        const phone = phoneAt(platform, orientation, way);
        for (const [index, node] of nodesOf(phone).entries()) {
          if (!can(node, 'tap') || (isKey(node) && index % 8 !== 0)) continue;
          const before = words(phone.phone.render());
          phone.phone.touch('begin', [phone.point(middleOf(node, phone))], phone.nextSeq());
          const { width } = phone.size;
          const changed = differing(before, words(phone.phone.render()));
          const outside = changed.filter((at) => !contains(node, phone, { x: at % width, y: Math.floor(at / width) }));
          if (outside.length > 0) t.fail(`${name}: ${node.id} changes ${outside.length} pixels outside of its frame`);
          if (changed.length > 0) seen++;
          phone.phone.touch('cancel', [], phone.nextSeq());
          phone.clock.advance(400);
        }
        phone.phone.close();
      }
      t.ok(seen >= 30, `${seen} controls were seen to be pressed`);
    },
  );

  t.test(
    `${platform}, ${orientation}: the picture differs in the frame of a node from a picture without it`,
    async (t) => {
      for (const [name, way] of Object.entries(places(platform))) {
        const phone = phoneAt(platform, orientation, way);
        const picture = words(phone.phone.render());
        const { width } = phone.size;
        for (const node of nodesOf(phone)) {
          if (node.name === undefined || (node.role === 'textfield' && node.value === '')) continue;
          const { left, top, right, bottom } = boxOf(node, phone);
          const colours = new Set<number>();
          for (let y = top; y < bottom; y++) {
            for (let x = left; x < right; x++) colours.add(picture[y * width + x] ?? 0);
          }
          // A row of which only an edge is in sight shows its ground alone.
          const isWhole = bottom - top > 12 && right - left > 2;
          if (isWhole && colours.size < 2) t.fail(`${name}: nothing is drawn in ${node.role} ${node.id ?? node.name}`);
        }
        phone.phone.close();
      }
      t.pass('all were looked at');
    },
  );

  t.test(`${platform}, ${orientation}: every corner of a frame does what its middle does`, async (t) => {
    let tapped = 0;
    for (const [name, way] of Object.entries(places(platform))) {
      const first = phoneAt(platform, orientation, way);
      const controls = nodesOf(first).filter((node) => can(node, 'tap') && node.role !== 'textfield');
      const keys = controls.filter(({ id }) => id?.startsWith('keyboard.'));
      for (const node of controls) {
        // The keys of one keyboard are all made alike.
        if (keys.includes(node) && keys.indexOf(node) % 8 !== 0) continue;
        const { left, top, right, bottom } = boxOf(node, first);
        const corners = [
          { x: left + 1, y: top + 1 },
          { x: right - 2, y: bottom - 2 },
        ];
        const outcomes = [middleOf(node, first), ...corners].map((at) => {
          const phone = phoneAt(platform, orientation, way);
          phone.tap(at);
          settle(phone);
          const state = stateOf(phone);
          phone.phone.close();
          return state;
        });
        if (new Set(outcomes).size > 1) t.fail(`${name}: ${node.id} does another thing at a corner of its frame`);
        tapped++;
      }
      first.phone.close();
    }
    t.ok(tapped >= 60, `${tapped} controls`);
  });

  t.test(`${platform}, ${orientation}: no place that does something lacks a node`, async (t) => {
    let acted = 0;
    for (const [name, way] of Object.entries(places(platform))) {
      const first = phoneAt(platform, orientation, way);
      const before = stateOf(first);
      const { width, height } = first.size;
      const controls = nodesOf(first).filter((node) => can(node, 'tap') || can(node, 'adjust'));
      const dismissals = new Set<string>();
      for (let index = 0; index < columns * rows; index++) {
        const at = {
          x: Math.floor((((index % columns) + 0.5) * width) / columns),
          y: Math.floor(((Math.floor(index / columns) + 0.5) * height) / rows),
        };
        const phone = phoneAt(platform, orientation, way);
        phone.tap(at);
        settle(phone);
        const after = stateOf(phone);
        phone.phone.close();
        if (after === before) continue;
        acted++;
        // The gap between two keys belongs to the nearer one.
        const isKey = first.phone.inspect().keyboardShown && at.y >= (first.layout().keyboard?.y ?? height);
        if (!isKey && !controls.some((node) => contains(node, first, at))) dismissals.add(after);
      }
      // A tap beside everything may close what is open.
      if (dismissals.size > 1) t.fail(`${name}: taps beside all nodes do ${dismissals.size} different things`);
      first.phone.close();
    }
    t.ok(acted > 100, `${acted} taps had an effect`);
  });
}
