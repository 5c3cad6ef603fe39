import { type UrlParts, urlParts } from '@runcloud/protocol/terms';
import type { AndroidApp, AppPackage, IosApp, LinkAuthority, LinkFilter } from './app-package.ts';
import { matchesPath } from './path-match.ts';

/**
 * The app that handles a URL according to the packages; of several apps the one installed first. A web address is handled by an
 * app only with a universal link or a verified App Link, which are trusted here: a virtual device has no network to verify them.
 */
export function urlHandler<App extends AppPackage>(apps: readonly App[], url: string): App | undefined {
  const parts = urlParts(url);
  return apps.find((app) => (app.platform === 'ios' ? opensOnIos(app, parts) : opensOnAndroid(app, parts)));
}

/** True for a web address, which opens in the browser unless an app is linked to its host. */
export function isWebUrl(url: string): boolean {
  const { scheme } = urlParts(url);
  return isWeb(scheme);
}

const isWeb = (scheme: string): boolean => scheme === 'http' || scheme === 'https';

function opensOnIos({ urlSchemes, linkedHosts }: IosApp, { scheme, host = '', port }: UrlParts): boolean {
  if (!isWeb(scheme)) return urlSchemes.includes(scheme);
  const ownPort = scheme === 'https' ? 443 : 80;
  return linkedHosts.some((linked) => {
    const [name = '', linkedPort = ownPort] = linked.split(':', 2);
    return fits(name, host) && Number(linkedPort) === (port ?? ownPort);
  });
}

function opensOnAndroid({ activities }: AndroidApp, parts: UrlParts): boolean {
  return activities.some(({ filters }) => filters.some((filter) => takes(filter, parts)));
}

/** `IntentFilter.matchData`: without authorities a filter matches by scheme; with them, also by host, port and path. */
function takes({ schemes, authorities, paths, autoVerify }: LinkFilter, parts: UrlParts): boolean {
  if (!schemes.includes(parts.scheme)) return false;
  if (isWeb(parts.scheme) && !(autoVerify && authorities.length > 0)) return false;
  if (authorities.length === 0) return true;
  const { host, port } = parts;
  if (host === undefined || !authorities.some((authority) => names(authority, host, port))) return false;
  if (paths.length === 0) return true;
  const path = decoded(parts.path);
  return paths.some((rule) => matchesPath(rule, path));
}

const names = (authority: LinkAuthority, host: string, port: number | undefined): boolean =>
  (authority.host === '*' || fits(authority.host, host)) && (authority.port === undefined || authority.port === port);

/** `*.` at the beginning matches every subdomain, but not the domain itself. */
const fits = (name: string, host: string): boolean =>
  name.startsWith('*.') ? host.length >= name.length && host.endsWith(name.slice(1)) : host === name;

/** A path as Android compares it: escapes decoded as UTF-8, invalid ones as the replacement character. */
function decoded(path: string): string {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8');
  });
}
