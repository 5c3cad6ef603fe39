import type { Inspection } from '../../device/driver.ts';
import type { EventLog } from './event-log.ts';
import type { HardwareButtons } from './hardware-buttons.ts';
import type { HardwareKeys } from './hardware-keys.ts';
import type { Shell } from './shell.ts';
import type { TouchRouter } from './touch-router.ts';

/** The visible state of the phone, for tests. `app.overlay` names an open panel; `app.alert` is the text of the alert. */
export function inspectPhone(
  shell: Shell,
  router: TouchRouter,
  buttons: HardwareButtons,
  keys: HardwareKeys,
  log: EventLog,
): Inspection {
  const { state, front } = shell;
  const switching = state.foreground === 'switcher';
  const shown = front?.inspect() ?? (switching ? shell.switcher.inspect() : inspectHome(shell));
  return {
    screen: state.screenOn ? 'on' : 'off',
    foreground: state.foreground,
    orientation: state.orientation,
    ...(state.display === undefined ? {} : { display: state.display }),
    keyboardShown: state.keyboardShown,
    volume: state.volume,
    heldKeys: keys.held,
    heldButtons: buttons.held,
    modifiers: keys.modifiers,
    pointers: router.down,
    app: {
      ...shown,
      overlay: state.overlay,
      alert: shell.alerts.inspect(shell.layout),
      silent: state.silent,
      locked: state.locked,
      appearance: state.appearance,
      locale: state.locale,
      notices: state.notices.map(({ title, text }) => ({ title, text })),
    },
    renderOptions: [...state.renderOptions],
    memoryWarnings: state.memoryWarnings,
    events: log.list(),
  };
}

function inspectHome({ home, search }: Shell): Readonly<Record<string, unknown>> {
  return search.shown ? { ...home.inspect(), search: search.inspect() } : home.inspect();
}
