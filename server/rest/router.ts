import { ROUTES, type Route, type RouteName } from '@runcloud/protocol';

export type Params = Readonly<Record<string, string>>;

export type Match =
  | { readonly kind: 'route'; readonly name: RouteName; readonly route: Route; readonly params: Params }
  | { readonly kind: 'wrong method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

interface Pattern {
  readonly name: RouteName;
  readonly route: Route;
  readonly segments: readonly string[];
}

const PATTERNS: readonly Pattern[] = Object.entries(ROUTES).map(([name, route]) => ({
  name: name as RouteName,
  route,
  segments: route.path.split('/'),
}));

/** Which route a request means. Paths are compared as they came, byte for byte: no escape is decoded before routing. */
export function match(method: string, path: string): Match {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const segments = path.split('/');
  const allow: string[] = [];
  for (const { name, route, segments: pattern } of PATTERNS) {
    const params = paramsOf(pattern, segments);
    if (!params) continue;
    if (route.method === wanted) return { kind: 'route', name, route, params };
    allow.push(...(route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  }
  return allow.length > 0 ? { kind: 'wrong method', allow } : { kind: 'unknown' };
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith('{')) {
      if (!fits(part, segment)) return undefined;
      params[part.slice(1, -1)] = segment;
    } else if (part !== segment) {
      return undefined;
    }
  }
  return params;
}

/** `/service/sessions/{sessionId}` must not swallow what `/service/{platform}/...` means, nor the other way round. */
function fits(part: string, segment: string): boolean {
  return part === '{platform}' ? segment === 'ios' || segment === 'android' : segment !== '';
}
