import type { ActionFields, ActionName, FieldsOf, ResultOf } from '@runcloud/protocol';
import type { InputContext, InputResult } from './driver.ts';
import { DeviceFault } from './fault.ts';

/** Carries out one action, whose fields are valid and complete; gives the `result` of its acknowledgement. */
export type Handler<Name extends ActionName> = (
  fields: FieldsOf<Name>,
  context: InputContext,
) => ResultOf<Name> extends undefined ? void | Promise<void> : ResultOf<Name> | Promise<ResultOf<Name>>;

/** How a device does its actions. An action without a key is one that it has not. */
export type Handlers = { readonly [Name in ActionName]?: Handler<Name> | undefined };

/** The actions that a device has, in the order of its table. */
export const actionsOf = (handlers: Handlers): readonly ActionName[] =>
  Object.entries(handlers).flatMap(([name, handler]) => (handler ? [name as ActionName] : []));

/** Carries out a request by the handler of its action. */
export async function handle(handlers: Handlers, request: ActionFields, context: InputContext): Promise<InputResult> {
  // The table's own type says that each handler takes the fields of its key.
  const handler = handlers[request.action];
  if (!handler) throw new DeviceFault('unsupported', `"${request.action}" is not supported by this device.`);
  return (handler as (fields: unknown, context: InputContext) => InputResult | Promise<InputResult>)(request, context);
}
