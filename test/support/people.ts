import { DashboardClient, withLinks } from './dashboard-client.ts';
import type { RestAnswer } from './rest-client.ts';

export const PASSWORD = 'correct horse battery';

/** Somebody with an account of their own, in a browser that has signed in to it. */
export interface Person {
  readonly email: string;
  readonly browser: DashboardClient;
}

/** Lets somebody new in, as by an invitation of the admin command. */
export async function invite(
  { url, dataDir }: { readonly url: string; readonly dataDir: string },
  email: string,
): Promise<Person> {
  const browser = new DashboardClient(url);
  const token = withLinks(dataDir, (links) => links.invite(email).path).split('#')[1];
  const { status } = await browser.call('POST', '/service/account/invitations/accept', { token, password: PASSWORD });
  if (status !== 200) throw new Error(`the invitation was answered ${status}`);
  return { email, browser };
}

/** An attempt to sign in, as a proxy on the service's machine passes it on from `address`. */
export function signIn(
  browser: DashboardClient,
  email: string,
  password: string,
  address: string,
): Promise<RestAnswer<unknown>> {
  const headers = { ...browser.own, 'X-Forwarded-For': address };
  return browser.call('POST', '/service/account/sign-in', { email, password }, headers);
}
