import type { AnyAction, Lack } from './actions/action.ts';
import { touchLack } from './actions/gesture.ts';
import { ACTION_NAMES, ACTIONS, type ActionName, type InteractionRequest } from './actions/index.ts';
import { type Controls, type Platform, platformControls } from './platforms.ts';

/** The capabilities of one device. Plain data: they cross the link with the device's description. */
export interface DeviceCapabilities extends Controls {
  readonly actions: readonly ActionName[];
}

const BY_NAME: Readonly<Record<ActionName, AnyAction>> = ACTIONS;

/** Everything that a platform offers. */
export function platformCapabilities(platform: Platform): DeviceCapabilities {
  const actions = ACTION_NAMES.filter((name) => BY_NAME[name].platforms.includes(platform));
  return { ...platformControls(platform), actions };
}

/**
 * Why a device cannot carry out a valid request, as a sentence that names what is not supported, where, and what there is
 * instead; `undefined` when it can. A device can do no more than its platform, which is named where it is the reason.
 */
export function unsupportedReason(
  request: InteractionRequest,
  can: DeviceCapabilities,
  platform: Platform,
): string | undefined {
  const { action } = request;
  const { lack } = BY_NAME[action];
  if (can.actions.includes(action) && lack?.(request, can) === undefined) return undefined;
  // What is on the screen is told by devices of every platform, but not by all of them.
  const offered: DeviceCapabilities = { ...platformCapabilities(platform), ui: true };
  const everywhere = lack?.(request, offered) ?? absent(action, offered);
  if (everywhere) return sentence(everywhere, `on ${platform}`);
  return sentence(absent(action, can) ?? (lack?.(request, can) as Lack), 'by this device');
}

/** The same for the fingers of a live gesture. */
export function unsupportedTouch(fingers: number, can: Controls): string | undefined {
  const lack = touchLack(fingers, can);
  return lack && sentence(lack, 'by this device');
}

const absent = (action: ActionName, { actions }: DeviceCapabilities): Lack | undefined =>
  actions.includes(action) ? undefined : { what: `"${action}" is`, ...reasonOf(BY_NAME[action]) };

const reasonOf = ({ absence }: AnyAction): Pick<Lack, 'instead'> => (absence === undefined ? {} : { instead: absence });

const sentence = ({ what, instead }: Lack, where: string): string =>
  `${what} not supported ${where}${instead === undefined ? '' : `; ${instead}`}.`;
