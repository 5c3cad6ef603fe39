import type { ROUTES } from '@runcloud/protocol';
import type { CallTo, Reply } from './call.ts';
import type { Services } from './services.ts';

/** A command of WebDriver. */
export interface WebDriverCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As WebDriver has it, without a slash before it: `session/{id}/url`. */
  readonly command: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly call: Pick<CallTo<'readWebDriver'>, 'head' | 'owner' | 'payer' | 'params'>;
  readonly method: WebDriverCall['method'];
  readonly body?: WebDriverCall['body'];
}

async function ask({ webDriver }: Services, { call, method, body = {} }: Asked) {
  const { head, owner, payer, params } = call;
  const reply = await webDriver.ask({ admission: { owner, payer }, head }, { method, command: params.command, body });
  return reply as Awaited<Reply<typeof ROUTES.readWebDriver>>;
}

export const readWebDriver = (call: CallTo<'readWebDriver'>, services: Services) =>
  ask(services, { call, method: 'GET' });
export const postWebDriver = (call: CallTo<'postWebDriver'>, services: Services) =>
  ask(services, { call, method: 'POST', body: call.body });
export const deleteWebDriver = (call: CallTo<'deleteWebDriver'>, services: Services) =>
  ask(services, { call, method: 'DELETE' });
