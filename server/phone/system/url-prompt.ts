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
  readonly app: AppDefinition;
  /** In lower case. */
  readonly scheme: string;
  readonly url: string;
}

type Answer = 'cancel' | 'open';

const ANSWERS: readonly { readonly answer: Answer; readonly name: string }[] = [
  { answer: 'cancel', name: 'Cancel' },
  { answer: 'open', name: 'Open' },
];

/** Maximum number of open questions. Further ones are refused: a question whose request was acknowledged is never dropped. */
export const PROMPTS_MAX = 16;

const titleFor = (name: string): string => `Open in “${name}”?`;

const DIM = colour(0x000000, 0.32);

/** The system's alert before an app opens a scheme for the first time. It stays above everything else until it is answered. */
export class UrlPrompt {
  readonly #environment: Environment;
  readonly #confirmed: (handoff: Handoff) => void;
  readonly #press: Press<Answer>;
  /** Open questions; the first one is visible. */
  #waiting: readonly Handoff[] = [];

  /** @param confirmed called with each URL that the user allows */
  constructor(environment: Environment, confirmed: (handoff: Handoff) => void) {
    this.#environment = environment;
    this.#confirmed = confirmed;
    this.#press = new Press(environment.theme.px(24));
  }

  get shown(): boolean {
    return this.#waiting.length > 0;
  }

  /** Asks the user; `false` if too many questions are open. */
  ask(handoff: Handoff): boolean {
    if (this.#waiting.length >= PROMPTS_MAX) return false;
    this.#waiting = [...this.#waiting, handoff];
    this.#environment.log('alert', { app: handoff.app.id, scheme: handoff.scheme });
    this.#environment.changed();
    return true;
  }

  /** The open questions. */
  get waiting(): readonly Handoff[] {
    return this.#waiting;
  }

  /** Takes back the questions about an app, which is there no longer. */
  forget(app: AppDefinition): void {
    this.restore(this.#waiting.filter((handoff) => handoff.app !== app));
  }

  restore(waiting: readonly Handoff[]): void {
    this.#press.cancel();
    this.#waiting = waiting;
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
    const [handoff, ...rest] = this.#waiting;
    if (!handoff) return;
    const { app, scheme } = handoff;
    // "Open" also answers every identical question that waits, since the permission is remembered.
    const asksTheSame = (other: Handoff) => answer === 'open' && other.app === app && other.scheme === scheme;
    this.#waiting = rest.filter((other) => !asksTheSame(other));
    this.#environment.log('alert answered', { app: app.id, answer });
    for (const passed of [handoff, ...rest].filter(asksTheSame)) this.#confirmed(passed);
  }

  #answerAt(layout: Layout, at: Pixel): Answer | undefined {
    return this.areas(layout).buttons.find(({ area }) => contains(area, at))?.answer;
  }

  areas({ picture }: Layout) {
    const { px } = this.#environment.theme;
    const width = px(280);
    const height = px(126);
    const row = px(50);
    const x = Math.round((picture.width - width) / 2);
    const y = Math.round((picture.height - height) / 2);
    const half = Math.round(width / 2);
    const buttons = ANSWERS.map((entry, index) => ({
      ...entry,
      area: { x: x + index * half, y: y + height - row, width: index === 0 ? half : width - half, height: row },
    }));
    return { card: { x, y, width, height }, buttons };
  }

  /** Breaks a long title into two lines, so that the question and the beginning of the name stay visible. */
  #titleLines(name: string, width: number): readonly string[] {
    const { strong } = this.#environment.theme.fonts;
    const title = titleFor(name);
    if (strong.width(title) <= width) return [title];
    return ['Open in', `“${fit(name, strong, width - strong.width('“”?'))}”?`];
  }

  paint(scene: Scene, layout: Layout): void {
    const [handoff] = this.#waiting;
    if (!handoff) return;
    const { card } = this.areas(layout);
    const title = titleFor(handoff.app.name);
    scene.node({ role: 'window', name: title, id: 'system.urlPrompt', modal: true }, layout.picture, () => {
      scene.rect(layout.picture, DIM);
      scene.node({ role: 'alert', name: title, id: 'system.alert' }, card, () =>
        this.#paintCard(scene, handoff, layout),
      );
    });
  }

  #paintCard(scene: Scene, handoff: Handoff, layout: Layout): void {
    const { px, fonts, palette } = this.#environment.theme;
    const { card, buttons } = this.areas(layout);
    scene.round(card, px(16), palette.card, 'smooth');
    const middle = card.x + card.width / 2;
    const lines = this.#titleLines(handoff.app.name, card.width - px(32));
    lines.forEach((text, index) => {
      const baseline = card.y + px(lines.length > 1 ? 32 : 43) + index * px(22);
      scene.text(text, middle, baseline, fonts.strong, palette.text, 'centre');
    });
    const line = buttons[0]?.area ?? card;
    scene.rect({ x: card.x, y: line.y, width: card.width, height: 1 }, palette.separator);
    scene.rect({ x: line.x + line.width, y: line.y, width: 1, height: line.height }, palette.separator);
    for (const { answer, name, area } of buttons) this.#paintButton(scene, answer, name, area);
  }

  #paintButton(scene: Scene, answer: Answer, name: string, area: Rect): void {
    const { px, fonts, palette } = this.#environment.theme;
    const font = answer === 'open' ? fonts.strong : fonts.body;
    const ink = this.#press.target === answer ? palette.secondary : palette.accent;
    scene.node({ role: 'button', name, id: `system.${answer}`, actions: TAP }, area, () => {
      scene.text(name, area.x + area.width / 2, area.y + area.height / 2 + px(6), font, ink, 'centre');
    });
  }

  /** The alert's text and its buttons; `undefined` if none is shown. */
  inspect(layout: Layout): Readonly<Record<string, unknown>> | undefined {
    const [handoff] = this.#waiting;
    if (!handoff) return undefined;
    const { app, scheme } = handoff;
    const buttons = this.areas(layout).buttons.map(({ name, area }) => ({ name, area }));
    return { title: titleFor(app.name), app: app.id, scheme, buttons, waiting: this.#waiting.length };
  }
}
