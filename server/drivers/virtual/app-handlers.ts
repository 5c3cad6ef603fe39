import { LIMITS } from '@runcloud/protocol/terms';
import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/** The actions about the apps of a virtual phone. */
export function appHandlers(phone: VirtualPhone): Handlers {
  const { apps } = phone;
  const terminate = (app: string) => {
    apps.terminate(app);
    return { app, state: apps.stateOf(app) };
  };
  return {
    listApps: () => {
      const list = apps.list();
      const { appsListed } = LIMITS;
      return { apps: list.slice(0, appsListed), ...(list.length > appsListed ? { truncated: true } : {}) };
    },
    launchApp: (launch, { inputSeq }) => {
      phone.launchApp(launch, inputSeq);
      return { app: launch.app, state: apps.stateOf(launch.app) };
    },
    terminateApp: ({ app }) => terminate(app),
    // Its apps store nothing.
    clearAppData: ({ app }) => ({ app: terminate(app).app }),
    uninstallApp: ({ app }) => {
      apps.uninstall(app);
      return { app };
    },
  };
}
