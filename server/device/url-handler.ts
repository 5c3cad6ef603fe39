import { type UrlParts, urlParts } from '@runcloud/protocol/terms';
import type { AndroidApp, AppPackage, IosApp, LinkAuthority, LinkFilter } from './app-package.ts';
import { matchesPath } from './path-match.ts';

/**
 * The app that a URL belongs to, by what the packages declare; the first installed of several. An address of the web
 * belongs to an app only by a universal link or a verified App Link, which count as confirmed by their domain here: an
 * embedded device has no network to ask over.
 */
export function urlHandler<App extends AppPackage>(apps: readonly App[], url: string): App | undefined {
  const parts = urlParts(url);
  return apps.find((app) => (app.platform === 'ios' ? opensOnIos(app, parts) : opensOnAndroid(app, parts)));
}

/** True when a URL goes to the browser unless an app is linked to its host. */
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

/** `IntentFilter.matchData`: a filter without authorities takes all of its schemes; with them, host, port and path count. */
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

/** A name that begins with `*.` stands for all that ends with the rest, and not for the rest itself. */
const fits = (name: string, host: string): boolean =>
  name.startsWith('*.') ? host.length >= name.length && host.endsWith(name.slice(1)) : host === name;

/** As Android compares paths: escapes decoded as UTF-8, what is none of it as the replacement character. */
function decoded(path: string): string {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8');
  });
}
