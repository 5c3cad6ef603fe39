import { ROUTES, type Route, type RouteName } from '@runcloud/protocol';

export type Params = Readonly<Record<string, string>>;

export type Match =
  | { readonly kind: 'route'; readonly name: RouteName; readonly route: Route; readonly params: Params }
  | { readonly kind: 'wrong method'; readonly allow: readonly string[]; readonly params: Params }
  | { readonly kind: 'unknown' };

/** One segment of the known paths, and what may follow it. */
class Node {
  readonly next = new Map<string, Node>();
  /** What a segment that is no literal stands for. */
  parameter: { readonly name: string; readonly node: Node } | undefined;
  readonly routes = new Map<string, { readonly name: RouteName; readonly route: Route }>();

  child(segment: string): Node {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      this.parameter ??= { name, node: new Node() };
      return this.parameter.node;
    }
    const node = this.next.get(segment) ?? new Node();
    this.next.set(segment, node);
    return node;
  }
}

const UNKNOWN: Match = { kind: 'unknown' };
const root = new Node();
for (const [name, route] of Object.entries(ROUTES)) {
  let node = root;
  for (const segment of route.path.slice(1).split('/')) node = node.child(segment);
  node.routes.set(route.method, { name: name as RouteName, route });
}

/** Which route a request means. Paths are compared as they came, byte for byte: no escape is decoded before routing. */
export function match(method: string, path: string): Match {
  if (!path.startsWith('/')) return UNKNOWN;
  const params: Record<string, string> = {};
  let node = root;
  for (let start = 1; start <= path.length; ) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(start, end);
    start = end + 1;
    const literal = node.next.get(segment);
    if (literal) {
      node = literal;
    } else {
      const { parameter } = node;
      if (!parameter || !isValue(parameter.name, segment)) return UNKNOWN;
      params[parameter.name] = segment;
      node = parameter.node;
    }
    // A slash at the end would be one more segment, and an empty one.
    if (slash === path.length - 1) return UNKNOWN;
  }
  if (node.routes.size === 0) return UNKNOWN;
  const found = node.routes.get(method === 'HEAD' ? 'GET' : method);
  return found ? { kind: 'route', ...found, params } : { kind: 'wrong method', allow: methodsOf(node), params };
}

/** Whether only callers with a key are told what there is at a path. All else is there for everybody, or for nobody. */
export const needsKey = (path: string): boolean => path === '/service' || path.startsWith('/service/');

const isValue = (name: string, segment: string): boolean =>
  name === 'platform' ? segment === 'ios' || segment === 'android' : segment !== '';

const methodsOf = (node: Node): string[] =>
  [...node.routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
