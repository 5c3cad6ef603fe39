import { LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import { appOf, type Handlers } from '../../device/handlers.ts';
import { installedApp } from '../../phone/apps/installed-app.ts';
import { decodeIcons } from '../../phone/art/decode-icons.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/** The actions about the apps of a virtual phone. */
export function appHandlers(phone: VirtualPhone): Handlers {
  const { apps, files } = phone;
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
    // Its apps store nothing themselves; what stands in the folder of one was put there.
    clearAppData: ({ app }) => {
      terminate(app);
      apps.forgetPermissions(app);
      files.clear(`app:${app}`);
      return { app };
    },
    installApp: async (_asset, context) => {
      const installable = appOf(context);
      const { identifier } = installable.app;
      const icons = await decodeIcons([installable]);
      if (context.signal.aborted) throw new DeviceFault('aborted', 'The installation was ended.');
      return apps.install(installedApp(installable.app, icons.get(identifier)));
    },
    uninstallApp: ({ app }) => {
      apps.uninstall(app);
      return { app };
    },
    sendPush: (asked) => ({ app: asked.app, shown: apps.push(asked), readBack: true }),
    authenticateBiometric: ({ match }) => {
      apps.authenticate(match);
      return { match, readBack: true };
    },
    setPermission: (asked) => {
      const { app, permission } = asked;
      return { app, permission, state: apps.setPermission(asked), readBack: true };
    },
  };
}
