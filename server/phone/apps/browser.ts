import type { Colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { contains, type Pixel, type Size } from '../geometry.ts';
import type { SavedBrowser } from '../saved-state.ts';
import { applyKey, type LineMoves } from '../text/editing-keys.ts';
import { TextEditor } from '../text/editor.ts';
import type { App, AppDefinition, KeyEvent, TouchEvent } from './app.ts';
import { browserLayout, FAVOURITES, pageArea, paintBrowser, START } from './browser-view.ts';
import { CardPage } from './card-page.ts';
import { type Arrival, PageLoad } from './page-load.ts';
import { Press } from './press.ts';

const HISTORY_MAX = 200;

type Target = 'back' | 'reload' | 'address' | 'page' | { readonly favourite: number };

/** A browser. The phone has no network, so a page is drawn from its address alone. */
class Browser implements App {
  readonly id = 'browser';
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #editor = new TextEditor(true);
  readonly #press: Press<Target>;
  #size: Size = { width: 1, height: 1 };
  #history: string[] = [START];
  #loads = 1;
  #focused = false;
  #card: CardPage | undefined;
  #cardVisits = 0;
  /** Whether the page in front was asked for and did not come. */
  #isUnreached = false;
  /** Why, for people; it came to nothing because there was no network, where absent. */
  #isGivenUp = false;
  #pending: PageLoad | undefined;
  /** Whether the card takes the touch in progress, which began on it. */
  #isOnCard = false;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#press = new Press(environment.theme.px(12));
  }

  get address(): string {
    return this.#history.at(-1) ?? START;
  }

  get background(): Colour {
    return this.#environment.theme.palette.grouped;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#card?.resize(pageArea(size, this.#environment.theme));
  }

  /** Opens a page as if its address had been entered. */
  navigate(address: string): void {
    this.#history.push(address);
    if (this.#history.length > HISTORY_MAX) this.#history.shift();
    this.#loads = 1;
    this.#blur();
    this.#load();
    this.#environment.log('navigate', { address });
  }

  /** Loads the page in front; the test card is a new one each time. */
  #load(): void {
    this.#card = undefined;
    this.#isUnreached = false;
    this.#isGivenUp = false;
    this.#pending = this.address === START ? undefined : new PageLoad(this.#environment);
    this.#settle();
  }

  /** Shows the page once it is here, or why it does not come; time alone brings it. */
  #settle(): void {
    const arrival = this.#pending?.arrival;
    if (arrival !== undefined && arrival !== 'on its way') this.#arrived(arrival);
  }

  #arrived(arrival: Arrival): void {
    this.#pending = undefined;
    this.#isUnreached = arrival !== 'here';
    this.#isGivenUp = arrival === 'given up';
    this.#card = this.#isUnreached ? undefined : CardPage.at(this.address, this.#cardVisits + 1, this.#environment);
    if (!this.#card) return;
    this.#cardVisits++;
    this.#card.resize(pageArea(this.#size, this.#environment.theme));
  }

  openUrl(url: string): void {
    this.navigate(url);
  }

  touch(event: TouchEvent): void {
    this.#settle();
    const { phase, points } = event;
    const at = points[0];
    if (phase === 'begin' && at) this.#isOnCard = this.#card !== undefined && this.#targetAt(at) === 'page';
    if (this.#isOnCard && this.#card) {
      this.#blur();
      return this.#card.touch(event);
    }
    if (phase === 'cancel') this.#press.cancel();
    else if (at && phase === 'begin') this.#press.begin(this.#targetAt(at), at);
    else if (at) this.#press.move(at);
    if (phase === 'end') this.#tapped(this.#press.end());
    this.#environment.changed();
  }

  #targetAt(at: Pixel): Target | undefined {
    const layout = browserLayout(this.#size, this.#environment.theme);
    if (contains(layout.back, at)) return 'back';
    if (contains(layout.reload, at)) return 'reload';
    if (contains(layout.address, at)) return 'address';
    if (this.address !== START) return 'page';
    const favourite = layout.favourites.findIndex((tile) => contains(tile, at));
    return favourite < 0 ? 'page' : { favourite };
  }

  #tapped(target: Target | undefined): void {
    if (target === undefined) return;
    if (target === 'address') return this.#focus();
    if (target === 'back') this.back();
    else if (target === 'reload') this.#reload();
    else if (target === 'page') this.#blur();
    else this.navigate(FAVOURITES[target.favourite]?.address ?? START);
  }

  #reload(): void {
    if (!this.#isUnreached) this.#loads++;
    this.#load();
  }

  #focus(): void {
    if (!this.#focused) {
      this.#editor.setText(this.address === START ? '' : this.address);
      this.#editor.selectAll();
    }
    this.#focused = true;
    this.#environment.showKeyboard(true);
  }

  #blur(): void {
    if (this.#focused) this.#environment.showKeyboard(false);
    this.#focused = false;
    this.#environment.changed();
  }

  typeText(text: string): boolean {
    this.#settle();
    if (!this.#focused) {
      this.#card?.typeText(text);
      return this.#card !== undefined;
    }
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) this.#submit();
      if (this.#focused) this.#editor.insert(part);
    }
    return true;
  }

  insertText(text: string): boolean {
    this.#settle();
    if (this.#focused) this.#editor.insertWhole(text);
    else this.#card?.typeText(text);
    this.#environment.changed();
    return this.#focused || this.#card !== undefined;
  }

  keyDown(event: KeyEvent): void {
    this.#settle();
    const { key, modifiers } = event;
    if (!this.#focused) return this.#card?.keyDown(event);
    if (key === 'escape') this.#blur();
    else if (key === 'enter' || key === 'numpadEnter') this.#submit();
    else if (key !== 'tab') applyKey(this.#editor, key, modifiers, this.#environment, this.#moves());
    this.#environment.changed();
  }

  #moves(): LineMoves {
    const end = this.#editor.text.length;
    return { pageLines: 1, lineStart: () => 0, lineEnd: () => end, vertical: (_, lines) => (lines < 0 ? 0 : end) };
  }

  #submit(): void {
    const typed = this.#editor.text.trim();
    if (typed === '') return this.#blur();
    this.navigate(/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`);
  }

  back(): boolean {
    if (this.#history.length < 2) return false;
    this.#history.pop();
    this.#blur();
    this.#load();
    return true;
  }

  memoryWarning(): void {
    this.#loads = 1;
  }

  animating(): boolean {
    return this.#pending !== undefined;
  }

  paint(scene: Scene, _animationMs: number, seen: Size): void {
    this.#settle();
    const pressed = this.#press.target;
    paintBrowser(scene, this.#size, seen, this.#environment.theme, {
      address: this.address,
      loads: this.#loads,
      canGoBack: this.#history.length > 1,
      pressedFavourite: typeof pressed === 'object' ? pressed.favourite : undefined,
      editor: this.#focused ? this.#editor : undefined,
      card: this.#card,
      isUnreached: this.#isUnreached,
      isGivenUp: this.#isGivenUp,
      share: this.#pending?.share,
    });
  }

  save(): SavedBrowser {
    return {
      history: [...this.#history],
      loads: this.#loads,
      ...(this.#focused ? { typed: this.#editor.save() } : {}),
      cardVisits: this.#cardVisits,
      isUnreached: this.#isUnreached,
      isGivenUp: this.#isGivenUp,
      isLoading: this.#pending !== undefined,
      ...(this.#card ? { card: this.#card.save() } : {}),
    };
  }

  restore({ history, loads, typed, cardVisits, isUnreached, isGivenUp, isLoading, card }: SavedBrowser): void {
    // What was on its way is asked for anew.
    this.#pending = isLoading ? new PageLoad(this.#environment) : undefined;
    this.#isGivenUp = isGivenUp;
    this.#history = [...history];
    this.#loads = loads;
    this.#focused = typed !== undefined;
    if (typed) this.#editor.restore(typed);
    this.#cardVisits = cardVisits;
    this.#isUnreached = isUnreached;
    this.#card = card && CardPage.at(this.address, cardVisits, this.#environment);
    this.#card?.resize(pageArea(this.#size, this.#environment.theme));
    if (card) this.#card?.restore(card);
  }

  inspect(): Readonly<Record<string, unknown>> {
    this.#settle();
    return {
      address: this.address,
      history: [...this.#history],
      canGoBack: this.#history.length > 1,
      typed: this.#focused ? this.#editor.text : undefined,
      loads: this.#loads,
      isUnreached: this.#isUnreached,
      loading: this.#pending?.share,
    };
  }
}

export const browser: AppDefinition = {
  id: 'browser',
  name: 'Browser',
  docked: true,
  create: (environment) => new Browser(environment),
};
