import type { Rect } from '../../device/driver.ts';
import { symbol } from '../art/symbols.ts';
import { wallpaper } from '../art/wallpaper.ts';
import { colour, faded } from '../draw/colour.ts';
import { ADJUST, type NodeFacts, TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import { clockText, type Environment, type ShadeName } from '../environment.ts';
import { centre } from '../geometry.ts';
import { dateWords } from '../locale.ts';
import { fit } from '../text/fit.ts';
import { CLOCK, paintStatusBar } from './bars.ts';
import { VOLUME_MAX } from './hud.ts';
import type { Layout } from './layout.ts';
import { noticeCards, type ShadeLayout, shadeLayout, type Tile } from './shade-layout.ts';

const WHITE = colour(0xffffff);
const GLASS = colour(0x3a3a40, 0.82);

/** Paints a shade that is down by `share`, from 0 to 1. */
export function paintShade(
  scene: Scene,
  kind: ShadeName,
  environment: Environment,
  layout: Layout,
  share: number,
): void {
  if (share <= 0) return;
  const places = shadeLayout(kind, environment, layout);
  const isControls = kind === 'controlCentre';
  const name = isControls ? 'Control centre' : 'Notifications';
  scene.node({ role: 'sheet', name, id: `system.${kind}`, modal: true }, layout.picture, () => {
    if (environment.platform === 'android') paintAndroid(scene, environment, layout, places, share);
    else if (isControls) paintControlCentre(scene, environment, layout, places, share);
    else paintCoverSheet(scene, environment, layout, places, share);
  });
}

/** A tile as a node. */
const tileFacts = ({ action, name, isOn }: Tile): NodeFacts => ({
  ...(action === 'darkMode' || action === 'silent' ? { role: 'switch', checked: isOn } : { role: 'button' }),
  name,
  id: `shade.${action}`,
  actions: TAP,
});

/** The slider of the volume as a node. */
const sliderFacts = (volume: number): NodeFacts => ({
  role: 'slider',
  name: 'Volume',
  value: `${volume} of ${VOLUME_MAX}`,
  id: 'shade.volume',
  actions: ADJUST,
});

function paintControlCentre(
  scene: Scene,
  environment: Environment,
  layout: Layout,
  { tiles, slider }: ShadeLayout,
  share: number,
): void {
  const { theme, state } = environment;
  const { px, fonts } = theme;
  const { picture } = layout;
  scene.rect(picture, colour(0x0a0a14, 0.84 * share));
  if (share > 0.5) paintStatusBar(scene, environment, layout, WHITE);
  // Everything comes down by the last bit, and becomes visible on the way.
  scene.within({ ...picture, y: -Math.round(px(70) * (1 - share)) }, () => {
    for (const tile of tiles) {
      const { area, icon, isOn, name } = tile;
      scene.node(tileFacts(tile), area, () => {
        scene.round(area, px(22), faded(isOn ? WHITE : GLASS, share), 'smooth');
        const ink = faded(isOn ? colour(0x0a84ff) : WHITE, share);
        const { x, y } = centre(area);
        scene.symbol(symbol(icon, px(26)), { x, y: y - px(7) }, ink);
        scene.text(name, x, y + px(25), fonts.small, ink, 'centre');
      });
    }
    if (!slider) return;
    scene.node(sliderFacts(state.volume), slider, () => {
      paintSlider(scene, slider, px(22), state.volume, share, true);
      const speaker = { x: centre(slider).x, y: slider.y + slider.height - px(26) };
      scene.symbol(symbol('speaker', px(24)), speaker, faded(colour(0x8a8a90), share));
    });
  });
}

function paintSlider(scene: Scene, area: Rect, radius: number, volume: number, share: number, upright: boolean): void {
  scene.round(area, radius, faded(GLASS, share), 'smooth');
  const part = volume / VOLUME_MAX;
  const filled = upright
    ? { ...area, y: area.y + Math.round(area.height * (1 - part)), height: Math.round(area.height * part) }
    : { ...area, width: Math.round(area.width * part) };
  scene.within(filled, () => {
    scene.round({ ...area, x: area.x - filled.x, y: area.y - filled.y }, radius, faded(WHITE, share), 'smooth');
  });
}

function paintCoverSheet(
  scene: Scene,
  environment: Environment,
  layout: Layout,
  { notices, clear }: ShadeLayout,
  share: number,
): void {
  const { picture, turned } = layout;
  const { theme, platform } = environment;
  const { px, fonts } = theme;
  scene.within({ ...picture, y: -Math.round(picture.height * (1 - share)) }, () => {
    scene.sprite(wallpaper(theme, picture.width, picture.height), 0, 0);
    scene.rect(picture, colour(0x0a0c18, 0.25));
    const { long } = dateWords(environment.wallMs(), environment.state.locale);
    const [middle, top] = [picture.width / 2, Math.round(picture.height * 0.1) + px(turned ? 8 : 24)];
    scene.label(long, middle, top, fonts.heading, WHITE, 'centre');
    scene.label(clockText(environment.wallMs(), platform), middle, top + px(66), fonts.huge, WHITE, 'centre', CLOCK);
    if (notices) paintNotices(scene, environment, notices, clear, 0.82);
    paintStatusBar(scene, environment, layout, WHITE);
  });
}

function paintAndroid(
  scene: Scene,
  environment: Environment,
  layout: Layout,
  { tiles, slider, notices, clear }: ShadeLayout,
  share: number,
): void {
  const { picture, turned } = layout;
  const { theme, state } = environment;
  const { px, fonts, palette } = theme;
  scene.rect(picture, colour(0x000000, 0.5 * share));
  scene.within({ ...picture, y: -Math.round(picture.height * (1 - share)) }, () => {
    scene.rect(picture, palette.grouped);
    const { long } = dateWords(environment.wallMs(), environment.state.locale);
    if (!turned) scene.label(long, px(20), px(66), fonts.heading, palette.text);
    for (const tile of tiles) paintPill(scene, environment, tile);
    if (slider) {
      scene.node(sliderFacts(state.volume), slider, () => {
        scene.round(slider, px(22), palette.pressed);
        scene.within({ ...slider, width: Math.round((slider.width * state.volume) / VOLUME_MAX) }, () => {
          scene.round({ ...slider, x: 0, y: 0 }, px(22), palette.accent);
        });
        const ink = state.volume > 1 ? palette.card : palette.accent;
        scene.symbol(symbol('speaker', px(20)), { x: slider.x + px(24), y: centre(slider).y }, ink);
      });
    }
    if (notices) paintNotices(scene, environment, notices, clear, 1);
    paintStatusBar(scene, environment, layout, palette.text);
  });
}

function paintPill(scene: Scene, { theme }: Environment, tile: Tile): void {
  const { px, fonts, palette } = theme;
  const { area, icon, isOn, name } = tile;
  scene.node(tileFacts(tile), area, () => {
    scene.round(area, px(24), isOn ? palette.accent : palette.pressed);
    const ink = isOn ? palette.card : palette.text;
    const { y } = centre(area);
    scene.symbol(symbol(icon, px(22)), { x: area.x + px(30), y }, ink);
    scene.text(fit(name, fonts.label, area.width - px(64)), area.x + px(54), y + px(5), fonts.label, ink);
  });
}

function paintNotices(
  scene: Scene,
  environment: Environment,
  area: Rect,
  clear: Rect | undefined,
  strength: number,
): void {
  const { theme, state, platform } = environment;
  const { px, fonts, palette } = theme;
  const onSheet = platform === 'ios';
  const head = onSheet ? WHITE : palette.text;
  const middle = area.x + area.width / 2;
  if (state.notices.length === 0) {
    return scene.label(
      'No notifications',
      middle,
      area.y + px(30),
      fonts.label,
      onSheet ? WHITE : palette.secondary,
      'centre',
    );
  }
  scene.label('Notifications', area.x + px(4), area.y + px(27), fonts.strong, head, 'left', { role: 'heading' });
  if (clear)
    scene.node({ role: 'button', name: 'Clear all', id: 'shade.clear', actions: TAP }, clear, () => {
      const ink = onSheet ? WHITE : palette.accent;
      scene.text('Clear all', clear.x + clear.width - px(4), clear.y + px(27), fonts.label, ink, 'right');
    });
  noticeCards(environment, area).forEach(({ notice: { title, text, wallMs, app }, card }, index) => {
    const opens = app === undefined ? {} : { actions: TAP };
    scene.node({ role: 'cell', name: title, value: text, id: `shade.notice.${index + 1}`, ...opens }, card);
    scene.round(card, px(18), faded(palette.card, strength), 'smooth');
    const right = card.x + card.width - px(16);
    scene.text(clockText(wallMs, platform), right, card.y + px(27), fonts.caption, palette.secondary, 'right');
    scene.text(
      fit(title, fonts.strong, card.width - px(100)),
      card.x + px(16),
      card.y + px(28),
      fonts.strong,
      palette.text,
    );
    scene.text(
      fit(text, fonts.caption, card.width - px(32)),
      card.x + px(16),
      card.y + px(50),
      fonts.caption,
      palette.text,
    );
  });
}
