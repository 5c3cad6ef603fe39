import type { Rect } from '../../device/driver.ts';
import { colour, faded } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import { clockText, type Environment } from '../environment.ts';
import { dateWords } from '../locale.ts';
import { CLOCK } from './bars.ts';

const WHITE = colour(0xffffff);
const RED = colour(0xff3b30);
const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

/** Two cards: the date, and the time. */
export function paintCards(scene: Scene, environment: Environment, area: Rect): void {
  const { theme, platform } = environment;
  const { px, fonts, palette } = theme;
  const gap = px(16);
  const width = Math.floor((area.width - gap) / 2);
  const radius = px(24);
  const { day, date, month } = dateWords(environment.wallMs(), environment.state.locale);
  const left = { ...area, width };
  scene.round(left, radius, ground(environment), 'smooth');
  const compact = area.height < px(150);
  const base = area.y + area.height;
  const big = compact ? fonts.title : fonts.huge;
  scene.label(day.toUpperCase(), left.x + px(16), area.y + px(30), fonts.small, RED, 'left', { name: day });
  scene.label(String(date), left.x + px(14), area.y + px(compact ? 68 : 88), big, palette.text);
  scene.label(month, left.x + px(16), base - px(18), fonts.caption, palette.secondary);
  const right = { ...left, x: area.x + width + gap };
  scene.round(right, radius, colour(0x0b1030, 0.55), 'smooth');
  scene.label('UTC', right.x + px(16), area.y + px(30), fonts.small, colour(0x8fd0ff));
  const clock = clockText(environment.wallMs(), platform);
  scene.label(clock, right.x + px(16), area.y + px(compact ? 68 : 74), fonts.title, WHITE, 'left', CLOCK);
  scene.label('Virtual phone', right.x + px(16), base - px(18), fonts.caption, colour(0xffffff, 0.7));
}

/** The time and the date on the wallpaper itself. */
export function paintGlance(
  scene: Scene,
  { theme, platform, state, wallMs }: Environment,
  area: Rect,
  turned: boolean,
): void {
  const { px, fonts } = theme;
  const { long } = dateWords(wallMs(), state.locale);
  scene.label(clockText(wallMs(), platform), area.x, area.y + px(62), fonts.huge, WHITE, 'left', CLOCK);
  scene.label(long, area.x + px(2), area.y + px(turned ? 92 : 94), fonts.body, WHITE);
}

const ground = ({ theme }: Environment) => faded(theme.appearance === 'dark' ? colour(0x1c1c1e) : WHITE, 0.92);

/** The days of this month in weeks from Monday on, with today marked. */
export function paintCalendar(scene: Scene, environment: Environment, area: Rect): void {
  const { theme } = environment;
  const { px, fonts, palette } = theme;
  const wallMs = environment.wallMs();
  const { date, month } = dateWords(wallMs, environment.state.locale);
  const first = new Date(wallMs - (date - 1) * DAY_MS);
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const offset = (first.getUTCDay() + 6) % DAYS_OF_WEEK;
  const weeks = Math.ceil((offset + days) / DAYS_OF_WEEK);
  scene.node({ role: 'image', name: `Calendar, ${date} ${month}`, id: 'home.calendar' }, area);
  scene.round(area, px(24), ground(environment), 'smooth');
  const head = px(area.height < px(220) ? 40 : 60);
  scene.text(month, area.x + px(20), area.y + px(30), fonts.strong, RED);
  const across = (area.width - px(24)) / DAYS_OF_WEEK;
  const down = (area.height - head - px(12)) / (weeks + 1);
  const spot = (index: number) => ({
    x: Math.round(area.x + px(12) + ((index % DAYS_OF_WEEK) + 0.5) * across),
    y: Math.round(area.y + head + (Math.floor(index / DAYS_OF_WEEK) + 0.5) * down),
  });
  ['M', 'T', 'W', 'T', 'F', 'S', 'S'].forEach((name, index) => {
    const { x, y } = spot(index);
    scene.text(name, x, y + px(4), fonts.small, palette.secondary, 'centre');
  });
  for (let day = 1; day <= days; day++) {
    const { x, y } = spot(DAYS_OF_WEEK + offset + day - 1);
    if (day === date) scene.circle({ x, y }, px(13), RED);
    const ink = day === date ? WHITE : palette.text;
    scene.text(String(day), x, y + px(5), fonts.caption, ink, 'centre');
  }
}

/** The model and the system of this phone. */
export function paintAbout(scene: Scene, environment: Environment, area: Rect): void {
  const { px, fonts, palette } = environment.theme;
  scene.round(area, px(24), ground(environment), 'smooth');
  scene.label('This phone', area.x + px(20), area.y + px(30), fonts.strong, palette.accent, 'left', {
    role: 'heading',
  });
  scene.label(environment.about.model, area.x + px(20), area.y + px(56), fonts.body, palette.text);
  scene.label(environment.about.system, area.x + px(20), area.y + px(78), fonts.caption, palette.secondary);
}
