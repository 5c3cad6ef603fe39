import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import type { Platform } from '@runcloud/protocol';
import type { AppDefinition } from '../apps/app.ts';
import { drawSprite, type Sprite } from '../draw/sprite.ts';
import { systemFace } from '../text/faces.ts';

/** Draws on a field of 100 by 100. */
type Paint = (context: SKRSContext2D) => void;

interface Art {
  readonly ground: readonly [top: string, bottom: string];
  readonly paint: Paint;
}

const ARTS: Readonly<Record<string, Art>> = {
  'touch-lab': { ground: ['#ff8a4c', '#f0386b'], paint: paintTouch },
  notes: { ground: ['#ffffff', '#f4f1e8'], paint: paintNotes },
  browser: { ground: ['#39b8ff', '#1565e8'], paint: paintCompass },
  scroll: { ground: ['#4fd98b', '#12a36b'], paint: paintList },
  motion: { ground: ['#7d6bff', '#4326c9'], paint: paintMotion },
  settings: { ground: ['#a3a8b4', '#5f6673'], paint: paintSliders },
  photos: { ground: ['#ffffff', '#f1f1f5'], paint: paintPetals },
  files: { ground: ['#ffffff', '#eaf1fb'], paint: paintFolder },
};

const PLAIN: Art = { ground: ['#8796b5', '#5a6a8c'], paint: paintSquare };

/** The app that an icon belongs to. */
type Owner = Pick<AppDefinition, 'id' | 'name' | 'icon' | 'package'>;

/** Weak by app, since apps are released with their phones; then by platform and size. */
const cache = new WeakMap<Owner, Map<string, Sprite>>();

/** The icon of an app: a rounded square on iOS, a circle on Android. An app without an icon gets its first letter. */
export function appIcon(app: Owner, platform: Platform, size: number): Sprite {
  const sprites = cache.get(app) ?? new Map<string, Sprite>();
  cache.set(app, sprites);
  const key = `${platform}/${size}`;
  const sprite = sprites.get(key) ?? drawIcon(app, platform, size);
  sprites.set(key, sprite);
  return sprite;
}

function drawIcon(app: Owner, platform: Platform, size: number): Sprite {
  const { icon } = app;
  if (icon) return drawSprite(size, size, (context) => paintPicture(context, icon, platform, size));
  const art = app.package ? letterArt(app) : (ARTS[app.id] ?? PLAIN);
  return drawSprite(size, size, (context) => {
    context.scale(size / 100, size / 100);
    outline(context, platform);
    const ground = context.createLinearGradient(0, 0, 0, 100);
    ground.addColorStop(0, art.ground[0]);
    ground.addColorStop(1, art.ground[1]);
    context.fillStyle = ground;
    context.fill();
    context.clip();
    if (platform === 'android') {
      context.translate(50, 50);
      context.scale(0.86, 0.86);
      context.translate(-50, -50);
    }
    context.lineCap = 'round';
    context.lineJoin = 'round';
    art.paint(context);
  });
}

/** Paints the whole icon, clipped to the platform's outline, on white where it is transparent, as launchers do. */
function paintPicture(context: SKRSContext2D, icon: Image, platform: Platform, size: number): void {
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.imageSmoothingQuality = 'high';
  context.drawImage(icon, 0, 0, size, size);
  // Clipped last and once: a soft edge drawn over another one would show a white seam.
  context.globalCompositeOperation = 'destination-in';
  context.scale(size / 100, size / 100);
  outline(context, platform);
  context.fill();
}

const LETTER_GROUNDS: readonly Art['ground'][] = [
  ['#5a8dee', '#2f5fd0'],
  ['#f2845b', '#d9534f'],
  ['#4dbd8a', '#2b8f63'],
  ['#9b7bea', '#6a49c9'],
  ['#e0739f', '#b8417a'],
  ['#e0a63c', '#c07f12'],
];

/** Depends on the app alone, so that it always has the same colour and letter. */
function letterArt({ id, name }: Owner): Art {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  const letter = /[A-Za-z0-9]/.exec(name)?.[0] ?? /[A-Za-z0-9]/.exec(id)?.[0] ?? '?';
  return {
    ground: LETTER_GROUNDS[sum % LETTER_GROUNDS.length] ?? PLAIN.ground,
    paint(context) {
      context.font = `54px "${systemFace(600).family}"`;
      context.textAlign = 'center';
      context.fillStyle = '#fff';
      context.fillText(letter.toUpperCase(), 50, 69);
    },
  };
}

function outline(context: SKRSContext2D, platform: Platform): void {
  context.beginPath();
  if (platform === 'android') {
    context.arc(50, 50, 50, 0, Math.PI * 2);
    return;
  }
  const steps = 160;
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * Math.PI * 2;
    const along = (value: number) => 50 + 50 * Math.sign(value) * Math.abs(value) ** 0.4;
    context.lineTo(along(Math.cos(angle)), along(Math.sin(angle)));
  }
  context.closePath();
}

function paintTouch(context: SKRSContext2D): void {
  context.strokeStyle = 'rgba(255,255,255,0.45)';
  context.lineWidth = 5;
  for (const radius of [34, 23]) {
    context.beginPath();
    context.arc(50, 50, radius, 0, Math.PI * 2);
    context.stroke();
  }
  context.fillStyle = '#fff';
  context.beginPath();
  context.arc(50, 50, 12, 0, Math.PI * 2);
  context.fill();
}

function paintNotes(context: SKRSContext2D): void {
  context.fillStyle = '#ffc93c';
  context.fillRect(-10, -10, 120, 39);
  context.fillStyle = 'rgba(120,80,0,0.18)';
  context.fillRect(-10, 29, 120, 2);
  context.strokeStyle = '#b9b4a6';
  context.lineWidth = 4;
  for (const [y, end] of [
    [46, 78],
    [60, 72],
    [74, 56],
  ] as const) {
    context.beginPath();
    context.moveTo(22, y);
    context.lineTo(end, y);
    context.stroke();
  }
}

function paintCompass(context: SKRSContext2D): void {
  context.fillStyle = 'rgba(255,255,255,0.95)';
  context.beginPath();
  context.arc(50, 50, 37, 0, Math.PI * 2);
  context.fill();
  const needle = (colour: string, side: number) => {
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(50 + 25 * side, 50 - 25 * side);
    context.lineTo(50 + 7, 50 + 7);
    context.lineTo(50 - 7, 50 - 7);
    context.fill();
  };
  needle('#ff4a3d', 1);
  needle('#b9c4d6', -1);
}

function paintList(context: SKRSContext2D): void {
  context.fillStyle = '#fff';
  for (const [row, alpha] of [1, 0.85, 0.7].entries()) {
    context.globalAlpha = alpha;
    context.beginPath();
    context.roundRect(20, 23 + row * 20, 14, 14, 5);
    context.roundRect(40, 26 + row * 20, [40, 32, 37][row] ?? 30, 8, 4);
    context.fill();
  }
}

function paintMotion(context: SKRSContext2D): void {
  for (const [index, alpha] of [0.25, 0.5, 1].entries()) {
    context.fillStyle = `rgba(255,255,255,${alpha})`;
    context.beginPath();
    context.arc(30 + index * 17, 62 - index * 11, 11 + index * 4, 0, Math.PI * 2);
    context.fill();
  }
}

function paintSliders(context: SKRSContext2D): void {
  for (const [index, knob] of [62, 36, 56].entries()) {
    const y = 30 + index * 20;
    context.strokeStyle = 'rgba(255,255,255,0.6)';
    context.lineWidth = 6;
    context.beginPath();
    context.moveTo(22, y);
    context.lineTo(78, y);
    context.stroke();
    context.fillStyle = '#fff';
    context.beginPath();
    context.arc(knob, y, 8.5, 0, Math.PI * 2);
    context.fill();
  }
}

function paintPetals(context: SKRSContext2D): void {
  const hues = ['#ff5a4d', '#ff9f2e', '#ffd23a', '#58c96b', '#2fb5c9', '#3f7cf5', '#8a5cf0', '#e85fae'];
  context.globalAlpha = 0.85;
  for (const [index, hue] of hues.entries()) {
    const angle = (index / hues.length) * Math.PI * 2;
    context.fillStyle = hue;
    context.beginPath();
    context.arc(50 + 19 * Math.cos(angle), 50 + 19 * Math.sin(angle), 13, 0, Math.PI * 2);
    context.fill();
  }
}

function paintFolder(context: SKRSContext2D): void {
  context.fillStyle = '#3b8df0';
  context.beginPath();
  context.roundRect(22, 28, 26, 16, 6);
  context.roundRect(22, 36, 56, 38, 7);
  context.fill();
}

function paintSquare(context: SKRSContext2D): void {
  context.fillStyle = 'rgba(255,255,255,0.9)';
  context.beginPath();
  context.roundRect(30, 30, 40, 40, 10);
  context.fill();
}
