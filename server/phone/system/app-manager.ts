import type { FieldsOf, Permission, PermissionState, ResultOf } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import { urlHandler } from '../../device/url-handler.ts';
import type { App, AppDefinition, AppDocument } from '../apps/app.ts';
import type { Environment, Notice, PhoneState } from '../environment.ts';
import { permissionState } from '../permissions.ts';
import type { Alerts } from './alerts.ts';
import { alertOf } from './notices.ts';

type DeviceApp = ResultOf<'listApps'>['apps'][number];

/** The functions of the system that the manager uses. */
export interface AppsHost {
  open(app: string): void;
  openUrl(app: string, url: string): void;
  closeApp(app: string): void;
  readonly home: { appsChanged(): void };
  readonly state: PhoneState;
  readonly alerts: Pick<Alerts, 'ask' | 'forget' | 'settle'>;
  readonly banner: { forget(app: string): void };
  notify(notice: Notice): void;
}

/** The installed apps, as a program sees them; all methods but `list` throw a `DeviceFault` for an app that is not installed. */
export class AppManager {
  readonly #environment: Environment;
  /** Shared with the parts of the system that show them. */
  readonly #apps: AppDefinition[];
  readonly #host: AppsHost;
  readonly #running: () => readonly App[];

  constructor(environment: Environment, apps: AppDefinition[], host: AppsHost, running: () => readonly App[]) {
    this.#environment = environment;
    this.#apps = apps;
    this.#host = host;
    this.#running = running;
  }

  /** Those that did not come with the phone, in the order of the home screen. */
  get installed(): readonly AppDefinition[] {
    return this.#apps.filter((app) => app.package);
  }

  /** All of them, by their identifiers. */
  list(): readonly DeviceApp[] {
    const apps = this.#apps.map((app) => this.#tell(app));
    return apps.sort((one, other) => (one.app < other.app ? -1 : 1));
  }

  #tell({ id, name, package: brought }: AppDefinition): DeviceApp {
    const known = { app: id, name, ...(brought?.version ? { version: brought.version } : {}) };
    return { ...known, kind: brought ? 'user' : 'system', state: this.stateOf(id) };
  }

  stateOf(id: string): DeviceApp['state'] {
    if (this.#environment.state.foreground === id) return 'front';
    return this.#running().some((app) => app.id === id) ? 'running' : 'stopped';
  }

  launch({ app, arguments: given, url }: FieldsOf<'launchApp'>): void {
    const definition = this.#find(app);
    if (url !== undefined && !this.#opens(definition, url)) {
      throw new DeviceFault('unhandled', `The app ${app} does not open this URL.`);
    }
    this.#environment.log('launch', { app });
    const hasArguments = Object.keys(given).length > 0;
    if (hasArguments) this.#host.closeApp(app);
    this.#host.open(app);
    if (hasArguments && !this.#started(app, given)) return;
    if (url !== undefined) this.#host.openUrl(app, url);
  }

  /** Tells an app its arguments; `false` if it has crashed. */
  #started(app: string, given: Readonly<Record<string, string>>): boolean {
    try {
      this.#runningApp(app)?.startedWith?.(given);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#host.closeApp(app);
      this.#environment.log('crash', { app, reason });
      return false;
    }
  }

  /** Ends an app. It has stored nothing, so that it begins anew. */
  terminate(app: string): void {
    this.#host.closeApp(this.#find(app).id);
  }

  /** Adds an app, or puts it in the place of the one with its identifier, which ends. */
  install(app: AppDefinition): DeviceApp {
    const { id } = app;
    const place = this.#apps.findIndex((other) => other.id === id);
    if (this.#apps[place] && !this.#apps[place].package) {
      throw new DeviceFault('failed', `The app ${id} came with the device and cannot be replaced.`);
    }
    if (place >= 0) this.#host.closeApp(id);
    this.#apps.splice(place < 0 ? this.#apps.length : place, place < 0 ? 0 : 1, app);
    this.#environment.log('installed', { app: id });
    this.#host.home.appsChanged();
    return this.#tell(app);
  }

  uninstall(app: string): void {
    const definition = this.#find(app);
    if (!definition.package) {
      throw new DeviceFault('failed', `The app ${app} came with the device and cannot be removed.`);
    }
    this.#host.closeApp(app);
    this.#host.alerts.forget(definition);
    this.forgetPermissions(app);
    this.#environment.files.clear(`app:${app}`);
    this.#forgetNotices(app);
    this.#apps.splice(this.#apps.indexOf(definition), 1);
    this.#environment.log('uninstalled', { app });
    this.#host.home.appsChanged();
  }

  /** Decides of a permission of an app that did not come with the phone; returns what is in force. */
  setPermission({ app, permission, access }: FieldsOf<'setPermission'>): PermissionState {
    const definition = this.#find(app);
    if (!definition.package) {
      throw new DeviceFault('failed', `The app ${app} came with the device, and keeps its permissions.`);
    }
    const { state } = this.#host;
    const others = state.permissions.filter((one) => one.app !== app || one.permission !== permission);
    state.permissions = access === 'reset' ? others : [...others, { app, permission, granted: access === 'grant' }];
    this.#host.alerts.settle(definition, permission);
    this.#environment.log('permission', { app, permission, access });
    this.#runningApp(app)?.permissionsChanged?.();
    return permissionState(state.permissions, app, permission);
  }

  /** An app asks for a permission: the user decides, once. */
  askPermission(app: string, permission: Permission): void {
    const definition = this.#find(app);
    if (permissionState(this.#host.state.permissions, app, permission) !== 'undecided') return;
    this.#host.alerts.ask({ kind: 'permission', app: definition, permission });
  }

  /**
   * What the folder of an app has: files of its own, `undefined`, where a session has brought it; of the others, the page of one that
   * keeps one and runs, or none.
   */
  filesOf(app: string): AppDocument | 'none' | undefined {
    if (this.#find(app).package) return undefined;
    return this.#runningApp(app)?.document ?? 'none';
  }

  /** Delivers a notification to an app that did not come with the phone; returns whether it is shown. */
  push({ app, payload }: FieldsOf<'sendPush'>): boolean {
    const definition = this.#find(app);
    if (!definition.package) {
      throw new DeviceFault('failed', `The app ${app} came with the device, and gets no notifications.`);
    }
    const mayNotify = permissionState(this.#host.state.permissions, app, 'notifications') !== 'denied';
    const alert = alertOf(payload, definition.name);
    const shown = alert !== undefined && mayNotify;
    this.#environment.log('push', { app, shown });
    if (shown) this.#host.notify({ app, ...alert, wallMs: this.#environment.wallMs() });
    return shown;
  }

  /** Shows a face or finger to the app in front; throws a `DeviceFault` where it does not ask for one. */
  authenticate(match: boolean): void {
    const { foreground, screenOn, locked } = this.#host.state;
    const asked = screenOn && !locked && this.#runningApp(foreground)?.biometric?.(match);
    if (!asked) throw new DeviceFault('failed', 'Nothing in front asks for a face or finger.');
    this.#environment.log('biometric', { match });
  }

  #forgetNotices(app: string): void {
    const { state, banner } = this.#host;
    banner.forget(app);
    state.notices = state.notices.filter((notice) => notice.app !== app);
  }

  /** Nothing is decided of an app any more. */
  forgetPermissions(app: string): void {
    const { state } = this.#host;
    state.permissions = state.permissions.filter((one) => one.app !== app);
  }

  /** Has these apps installed, instead of those that it had. */
  restore(apps: readonly AppDefinition[]): void {
    this.#apps.splice(0, this.#apps.length, ...apps);
    this.#host.home.appsChanged();
  }

  #opens(definition: AppDefinition, url: string): boolean {
    if (definition.id === 'browser') return /^https?:/i.test(url);
    return definition.package !== undefined && urlHandler([definition.package], url) !== undefined;
  }

  #runningApp(id: string): App | undefined {
    return this.#running().find((app) => app.id === id);
  }

  #find(id: string): AppDefinition {
    const found = this.#apps.find((app) => app.id === id);
    if (found) return found;
    throw new DeviceFault('missing', `No installed app has the identifier "${id}".`);
  }
}
