import { ACCOUNT_ROUTES } from './account.ts';
import { ASSET_ROUTES } from './assets.ts';
import { CONTROL_ROUTES } from './control.ts';
import { PAGE_ROUTES } from './pages.ts';
import { RECORDING_ROUTES } from './recordings.ts';
import { SESSION_ROUTES } from './sessions.ts';
import { SIGN_IN_ROUTES } from './sign-in.ts';

/** Every route of the service. */
export const ROUTES = {
  ...PAGE_ROUTES,
  ...SESSION_ROUTES,
  ...ASSET_ROUTES,
  ...CONTROL_ROUTES,
  ...RECORDING_ROUTES,
  ...SIGN_IN_ROUTES,
  ...ACCOUNT_ROUTES,
} as const;

export type RouteName = keyof typeof ROUTES;
