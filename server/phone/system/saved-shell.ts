import type { AppDefinition } from '../apps/app.ts';
import type { Size } from '../geometry.ts';
import { USUAL_LOCALE } from '../locale.ts';
import type { SavedPhone } from '../saved-state.ts';
import type { Question } from './alerts.ts';
import type { Shell } from './shell.ts';

/** The state of the system and its apps at rest. */
export function saveShell(shell: Shell): Omit<SavedPhone, 'clipboard'> {
  const { state, home, keyboard, search, switcher, urls, alerts } = shell;
  const { display, overlay, location, permissions } = state;
  const typed = search.save();
  const files = shell.environment.files.save();
  // Its cards show apps as they were when it came, and those of a phone that takes this over as they are.
  if (state.foreground === 'switcher') switcher.renew();
  return {
    state: {
      orientation: state.orientation,
      ...(display === undefined ? {} : { display }),
      screenOn: state.screenOn,
      locked: state.locked,
      foreground: state.foreground,
      ...(overlay === undefined ? {} : { overlay }),
      keyboardShown: state.keyboardShown,
      volume: state.volume,
      silent: state.silent,
      memoryWarnings: state.memoryWarnings,
      notices: state.notices.map((notice) => ({ ...notice })),
      shift: state.shift,
      capsLock: state.capsLock,
      renderOptions: [...state.renderOptions],
      animations: state.animations,
      appearance: state.appearance,
      ...(state.locale === USUAL_LOCALE ? {} : { locale: state.locale }),
      textScale: state.textScale,
      network: state.network,
      networkLimits: { ...state.networkLimits },
      ...(location === undefined ? {} : { location: { ...location } }),
      ...(permissions.length === 0 ? {} : { permissions: permissions.map((decision) => ({ ...decision })) }),
    },
    ...(files.length === 0 ? {} : { files: [...files] }),
    installed: shell.apps.installed.map(({ id }) => id),
    running: shell.running.map((app) => ({ app: app.id, state: app.save() })),
    page: home.page,
    ...(typed === undefined ? {} : { search: typed }),
    keyboard: keyboard.save(),
    switcherScroll: switcher.scroll,
    prompts: alerts.waiting.map(({ kind: _kind, ...question }) => ({ ...question, app: question.app.id })),
    allowed: [...urls.allowed],
  };
}

/**
 * Takes over such a state.
 * @param apps all that are installed then, built-in ones too
 * @param display its size, in any orientation
 */
export function restoreShell(
  shell: Shell,
  saved: Omit<SavedPhone, 'clipboard'>,
  apps: readonly AppDefinition[],
  display: Size,
): void {
  const { state, environment } = shell;
  // Pictures are no part of a saved state.
  environment.photos.remove(() => true);
  environment.files.restore(saved.files ?? []);
  const {
    display: name,
    overlay,
    location,
    locale = USUAL_LOCALE,
    permissions = [],
    renderOptions,
    notices,
    networkLimits,
    ...values
  } = saved.state;
  Object.assign(state, values);
  state.display = name;
  state.overlay = overlay;
  state.locale = locale;
  state.networkLimits = { ...networkLimits };
  state.location = location && { ...location };
  state.permissions = permissions.map((decision) => ({ ...decision }));
  state.notices = [...notices];
  state.shiftHeld = false;
  state.renderOptions.clear();
  for (const option of renderOptions) state.renderOptions.add(option);
  shell.apps.restore(apps);
  const definition = (id: string) => apps.find((app) => app.id === id);
  const restored = saved.running.flatMap(({ app: id, state: kept }) => {
    const app = definition(id)?.create(environment);
    return app ? [{ app, kept }] : [];
  });
  shell.takeOver(
    restored.map(({ app }) => app),
    display,
  );
  for (const { app, kept } of restored) app.restore(kept);
  shell.home.restore(saved.page, shell.layout);
  shell.search.restore(saved.search);
  shell.keyboard.restore(saved.keyboard);
  shell.lock.restore();
  shell.shade.restore(overlay);
  shell.hud.clear();
  shell.banner.clear();
  shell.urls.restore(saved.allowed);
  shell.alerts.restore(
    saved.prompts.flatMap((asked): Question[] => {
      const app = definition(asked.app);
      if (!app) return [];
      return 'url' in asked ? [{ ...asked, kind: 'url', app }] : [{ ...asked, kind: 'permission', app }];
    }),
  );
  // Last, since its cards show what the apps are.
  shell.switcher.restore(state.foreground === 'switcher', saved.switcherScroll);
}
