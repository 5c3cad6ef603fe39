import type { ActionFields, ActionName, FieldsOf, ResultOf } from '@runcloud/protocol';
import type { InstallableApp } from './app-package.ts';
import type { InputContext, InputResult } from './driver.ts';
import { DeviceFault } from './fault.ts';

/** Performs one action with valid and complete fields; returns the `result` of its acknowledgement. */
export type Handler<Name extends ActionName> = (
  fields: FieldsOf<Name>,
  context: InputContext,
) => ResultOf<Name> extends undefined ? void | Promise<void> : ResultOf<Name> | Promise<ResultOf<Name>>;

/** The handlers of a device's actions. A device does not support an action without a handler. */
export type Handlers = { readonly [Name in ActionName]?: Handler<Name> | undefined };

/** The supported actions of a device, in the order of its table. */
export const actionsOf = (handlers: Handlers): readonly ActionName[] =>
  Object.entries(handlers).flatMap(([name, handler]) => (handler ? [name as ActionName] : []));

/** The app of an installation, which comes with its call. */
export function appOf({ app }: Pick<InputContext, 'app'>): InstallableApp {
  if (!app) throw new DeviceFault('failed', 'The app did not come with the request.');
  return app;
}

/** Performs a request with the handler of its action. */
export async function handle(handlers: Handlers, request: ActionFields, context: InputContext): Promise<InputResult> {
  // The table's own type says that each handler takes the fields of its key.
  const handler = handlers[request.action];
  if (!handler) throw new DeviceFault('unsupported', `"${request.action}" is not supported by this device.`);
  return (handler as (fields: unknown, context: InputContext) => InputResult | Promise<InputResult>)(request, context);
}
