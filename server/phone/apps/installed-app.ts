import type { Image } from '@napi-rs/canvas';
import type { Permission } from '@runcloud/protocol';
import type { AppPackage } from '../../device/app-package.ts';
import type { Colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { contains, type Pixel, type Size } from '../geometry.ts';
import type { SavedInstalledApp } from '../saved-state.ts';
import type { App, AppDefinition, TouchEvent } from './app.ts';
import { type AppEvent, type InstalledAppPage, installedAppLayout, paintInstalledApp } from './installed-app-view.ts';
import { Press } from './press.ts';
import { ScrollView } from './scroll-view.ts';

/** Events that stay on the page. */
const EVENTS_MAX = 30;

/**
 * Stands in for an uploaded app, whose code does not run on the virtual phone. It shows the metadata of the package and the
 * events that reach the app, so that you can verify installations, launches and URLs.
 */
class InstalledApp implements App {
  readonly id: string;
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #definition: AppDefinition;
  readonly #package: AppPackage;
  readonly #view: ScrollView;
  readonly #press: Press<Permission>;
  #size: Size = { width: 1, height: 1 };
  #url: string | undefined;
  #arguments: Readonly<Record<string, string>> = {};
  #events: readonly AppEvent[] = [];
  #inFront = false;

  constructor(environment: Environment, definition: AppDefinition, app: AppPackage) {
    this.id = definition.id;
    this.#environment = environment;
    this.#definition = definition;
    this.#package = app;
    this.#view = new ScrollView(environment);
    this.#press = new Press(environment.theme.px(10));
    this.#add('launched');
  }

  get #page(): InstalledAppPage {
    const { identifier, version } = this.#package;
    return {
      definition: this.#definition,
      identifier,
      version,
      url: this.#url,
      arguments: this.#arguments,
      events: this.#events,
      permissions: this.#environment.state.permissions.filter(({ app }) => app === this.id),
    };
  }

  activate(): void {
    if (!this.#inFront) this.#add('foreground');
    this.#inFront = true;
  }

  deactivate(): void {
    if (this.#inFront) this.#add('background');
    this.#inFront = false;
  }

  openUrl(url: string): void {
    this.#url = url;
    this.#add('url');
    this.#view.scrollBy(Number.NEGATIVE_INFINITY);
  }

  startedWith(given: Readonly<Record<string, string>>): void {
    this.#arguments = given;
    this.#layOut();
    this.#environment.changed();
  }

  memoryWarning(): void {
    this.#add('memory warning');
  }

  notificationOpened(): void {
    this.#add('notification');
  }

  permissionsChanged(): void {
    this.#layOut();
    this.#environment.changed();
  }

  #add(type: AppEvent['type']): void {
    this.#events = [...this.#events, { wallMs: this.#environment.wallMs(), type }].slice(-EVENTS_MAX);
    this.#layOut();
    this.#environment.changed();
  }

  get background(): Colour {
    return this.#environment.theme.palette.grouped;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#layOut();
  }

  #layOut(): void {
    this.#view.resize(
      installedAppLayout(this.#page, this.#size, this.#environment.theme).contentHeight,
      this.#size.height,
    );
  }

  touch(event: TouchEvent): void {
    this.#view.touch(event);
    const { phase, points } = event;
    const at = points[0];
    if (phase === 'cancel' || !at) return this.#press.cancel();
    if (phase === 'begin') this.#press.begin(this.#undecidedAt(at), at);
    else this.#press.move(at);
    const permission = phase === 'end' ? this.#press.end() : undefined;
    if (permission) this.#environment.askPermission(this.id, permission);
  }

  #undecidedAt({ x, y }: Pixel): Permission | undefined {
    const { permissionRows } = installedAppLayout(this.#page, this.#size, this.#environment.theme);
    const onPage = { x, y: y + this.#view.offset() };
    return permissionRows.find(({ row, state }) => state === 'undecided' && contains(row, onPage))?.permission;
  }

  scroll(_deltaX: number, deltaY: number): void {
    this.#view.scrollBy(deltaY);
  }

  animating(animationMs: number): boolean {
    return this.#view.animating(animationMs);
  }

  paint(scene: Scene, animationMs: number, seen: Size): void {
    paintInstalledApp(scene, seen, this.#environment.theme, this.#page, this.#view.offset(animationMs));
  }

  save(): SavedInstalledApp {
    return {
      ...(this.#url === undefined ? {} : { url: this.#url }),
      arguments: { ...this.#arguments },
      events: [...this.#events],
      inFront: this.#inFront,
      offset: this.#view.offset(),
    };
  }

  restore({ url, arguments: given, events, inFront, offset }: SavedInstalledApp): void {
    this.#url = url;
    this.#arguments = given;
    this.#events = events;
    this.#inFront = inFront;
    this.#layOut();
    this.#view.restore(offset);
  }

  inspect(): Readonly<Record<string, unknown>> {
    const { name, identifier, version } = this.#package;
    const events = this.#events.map(({ type }) => type);
    const { permissions } = this.#page;
    return {
      name,
      identifier,
      version,
      url: this.#url,
      arguments: this.#arguments,
      events,
      permissions: permissions.map(({ permission, granted }) => ({ permission, granted })),
      offset: this.#view.offset(),
    };
  }
}

/** An uploaded app as the home screen knows it; `icon` is its decoded picture. */
export function installedApp(app: AppPackage, icon?: Image): AppDefinition {
  const definition: AppDefinition = {
    id: app.identifier,
    name: app.name,
    docked: false,
    package: app,
    ...(icon ? { icon } : {}),
    create: (environment) => new InstalledApp(environment, definition, app),
  };
  return definition;
}
