import type { Permission } from '@runcloud/protocol';
import type { Rect } from '../../device/driver.ts';
import type { AppDefinition, TouchEvent } from '../apps/app.ts';
import { Press } from '../apps/press.ts';
import { colour } from '../draw/colour.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { contains, type Pixel } from '../geometry.ts';
import { fit } from '../text/fit.ts';
import type { Layout } from './layout.ts';

/** A URL and the app that is to open it. */
export interface Handoff {
  readonly kind: 'url';
  readonly app: AppDefinition;
  /** In lower case. */
  readonly scheme: string;
  readonly url: string;
}

/** An app, and what it would like to use. */
export interface PermissionRequest {
  readonly kind: 'permission';
  readonly app: AppDefinition;
  readonly permission: Permission;
}

/** What the user is asked. */
export type Question = Handoff | PermissionRequest;

type Answer = 'refuse' | 'accept';

interface Choice {
  readonly answer: Answer;
  readonly name: string;
  /** Of its node. */
  readonly id: string;
}

/** The one that changes nothing comes first, as both platforms have it. */
const CHOICES: Readonly<Record<Question['kind'], readonly Choice[]>> = {
  url: [
    { answer: 'refuse', name: 'Cancel', id: 'system.cancel' },
    { answer: 'accept', name: 'Open', id: 'system.open' },
  ],
  permission: [
    { answer: 'refuse', name: 'Don’t Allow', id: 'system.deny' },
    { answer: 'accept', name: 'Allow', id: 'system.allow' },
  ],
};
const WINDOWS = { url: 'system.urlPrompt', permission: 'system.permissionPrompt' } as const;

/** Maximum number of open questions. Further ones are refused: a question whose request was acknowledged is never dropped. */
export const QUESTIONS_MAX = 16;

const WISHES: Readonly<Record<Permission, string>> = {
  calendar: 'use your calendar?',
  camera: 'use the camera?',
  contacts: 'use your contacts?',
  location: 'use your location?',
  microphone: 'use the microphone?',
  notifications: 'send notifications?',
  photos: 'use your photos?',
};

/** In two parts: a long one is broken between them, and only the name in it is cut. */
function titleOf(question: Question): { readonly before: string; readonly after: string } {
  return question.kind === 'url'
    ? { before: 'Open in', after: '?' }
    : { before: 'Allow', after: ` to ${WISHES[question.permission]}` };
}

function titleFor(question: Question): string {
  const { before, after } = titleOf(question);
  return `${before} “${question.app.name}”${after}`;
}

function isAlike(one: Question, other: Question): boolean {
  if (one.app !== other.app) return false;
  if (one.kind === 'url') return other.kind === 'url' && one.scheme === other.scheme;
  return other.kind === 'permission' && one.permission === other.permission;
}

const DIM = colour(0x000000, 0.32);

/** What becomes of answers. */
interface AlertsHost {
  /** The user allows that a URL is opened. */
  opened(handoff: Handoff): void;
  decided(request: PermissionRequest, access: 'grant' | 'revoke'): void;
}

/**
 * The system's alerts, which ask the user: before an app opens a scheme for the first time, and what it may use. One stays above
 * everything else until it is answered.
 */
export class Alerts {
  readonly #environment: Environment;
  readonly #host: AlertsHost;
  readonly #press: Press<Answer>;
  /** Open questions; the first one is visible. */
  #waiting: readonly Question[] = [];

  constructor(environment: Environment, host: AlertsHost) {
    this.#environment = environment;
    this.#host = host;
    this.#press = new Press(environment.theme.px(24));
  }

  get shown(): boolean {
    return this.#waiting.length > 0;
  }

  /** Asks the user; `false` if too many questions are open. */
  ask(question: Question): boolean {
    if (this.#waiting.length >= QUESTIONS_MAX) return false;
    this.#waiting = [...this.#waiting, question];
    this.#environment.log('alert', { app: question.app.id, ...aboutOf(question) });
    this.#environment.changed();
    return true;
  }

  /** The open questions. */
  get waiting(): readonly Question[] {
    return this.#waiting;
  }

  /** Takes the question away that is shown, which stays without an answer. */
  dismiss(): void {
    this.restore(this.#waiting.slice(1));
  }

  /** Takes back the questions about an app, which is there no longer. */
  forget(app: AppDefinition): void {
    this.restore(this.#waiting.filter((question) => question.app !== app));
  }

  /** Takes back the question for a permission, of which something else has decided. */
  settle(app: AppDefinition, permission: Permission): void {
    const settled: Question = { kind: 'permission', app, permission };
    if (this.#waiting.some((question) => isAlike(question, settled)))
      this.restore(this.#waiting.filter((question) => !isAlike(question, settled)));
  }

  restore(waiting: readonly Question[]): void {
    this.#press.cancel();
    this.#waiting = waiting;
    this.#environment.changed();
  }

  touch({ phase, points }: TouchEvent, layout: Layout): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'cancel' || !at) return this.#press.cancel();
    if (phase === 'begin') this.#press.begin(this.#answerAt(layout, at), at);
    else this.#press.move(at);
    if (phase !== 'end') return;
    const answer = this.#press.end();
    if (answer) this.#answer(answer);
  }

  #answer(answer: Answer): void {
    const [question, ...rest] = this.#waiting;
    if (!question) return;
    this.#environment.log('alert answered', { app: question.app.id, answer });
    if (question.kind === 'permission') {
      this.#waiting = rest;
      return this.#host.decided(question, answer === 'accept' ? 'grant' : 'revoke');
    }
    // "Open" also answers every identical question that waits, since the permission is remembered.
    const isOpened = (other: Question): other is Handoff => answer === 'accept' && isAlike(question, other);
    this.#waiting = rest.filter((other) => !isOpened(other));
    for (const handoff of [question, ...rest].filter(isOpened)) this.#host.opened(handoff);
  }

  #answerAt(layout: Layout, at: Pixel): Answer | undefined {
    const [question] = this.#waiting;
    return question && this.#areas(question, layout).buttons.find(({ area }) => contains(area, at))?.answer;
  }

  #areas({ kind }: Question, { picture }: Layout) {
    const { px } = this.#environment.theme;
    const width = px(280);
    const height = px(126);
    const row = px(50);
    const x = Math.round((picture.width - width) / 2);
    const y = Math.round((picture.height - height) / 2);
    const half = Math.round(width / 2);
    const buttons = CHOICES[kind].map((entry, index) => ({
      ...entry,
      area: { x: x + index * half, y: y + height - row, width: index === 0 ? half : width - half, height: row },
    }));
    return { card: { x, y, width, height }, buttons };
  }

  /** Breaks a long title into two lines, so that the question and the beginning of the name stay visible. */
  #titleLines(question: Question, width: number): readonly string[] {
    const { strong } = this.#environment.theme.fonts;
    const title = titleFor(question);
    if (strong.width(title) <= width) return [title];
    const { before, after } = titleOf(question);
    const name = (room: number) => `“${fit(question.app.name, strong, room - strong.width('“”'))}”`;
    if (question.kind === 'url') return [before, `${name(width - strong.width(after))}${after}`];
    return [`${before} ${name(width - strong.width(`${before} `))}`, after.trimStart()];
  }

  paint(scene: Scene, layout: Layout): void {
    const [question] = this.#waiting;
    if (!question) return;
    const { card } = this.#areas(question, layout);
    const name = titleFor(question);
    scene.node({ role: 'window', name, id: WINDOWS[question.kind], modal: true }, layout.picture, () => {
      scene.rect(layout.picture, DIM);
      scene.node({ role: 'alert', name, id: 'system.alert' }, card, () => this.#paintCard(scene, question, layout));
    });
  }

  #paintCard(scene: Scene, question: Question, layout: Layout): void {
    const { px, fonts, palette } = this.#environment.theme;
    const { card, buttons } = this.#areas(question, layout);
    scene.round(card, px(16), palette.card, 'smooth');
    const middle = card.x + card.width / 2;
    const lines = this.#titleLines(question, card.width - px(32));
    lines.forEach((text, index) => {
      const baseline = card.y + px(lines.length > 1 ? 32 : 43) + index * px(22);
      scene.text(text, middle, baseline, fonts.strong, palette.text, 'centre');
    });
    const line = buttons[0]?.area ?? card;
    scene.rect({ x: card.x, y: line.y, width: card.width, height: 1 }, palette.separator);
    scene.rect({ x: line.x + line.width, y: line.y, width: 1, height: line.height }, palette.separator);
    for (const { area, ...choice } of buttons) this.#paintButton(scene, choice, area);
  }

  #paintButton(scene: Scene, { answer, name, id }: Choice, area: Rect): void {
    const { px, fonts, palette } = this.#environment.theme;
    const font = answer === 'accept' ? fonts.strong : fonts.body;
    const ink = this.#press.target === answer ? palette.secondary : palette.accent;
    scene.node({ role: 'button', name, id, actions: TAP }, area, () => {
      scene.text(name, area.x + area.width / 2, area.y + area.height / 2 + px(6), font, ink, 'centre');
    });
  }

  /** The alert's text and its buttons; `undefined` if none is shown. */
  inspect(layout: Layout): Readonly<Record<string, unknown>> | undefined {
    const [question] = this.#waiting;
    if (!question) return undefined;
    const buttons = this.#areas(question, layout).buttons.map(({ name, area }) => ({ name, area }));
    const title = titleFor(question);
    return { title, app: question.app.id, ...aboutOf(question), buttons, waiting: this.#waiting.length };
  }
}

/** What the question is about, beside its app. */
function aboutOf(question: Question): Readonly<Record<string, string>> {
  return question.kind === 'url' ? { scheme: question.scheme } : { permission: question.permission };
}
