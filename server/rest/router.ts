import { ROUTES, type Route, type RouteName } from '@runcloud/protocol';

export type Params = Readonly<Record<string, string>>;

export type Match =
  | { readonly kind: 'route'; readonly name: RouteName; readonly route: Route; readonly params: Params }
  | { readonly kind: 'wrong method'; readonly allow: readonly string[]; readonly params: Params }
  | { readonly kind: 'unknown' };

/** A node of the routing trie: one segment and its children. */
class Node {
  readonly next = new Map<string, Node>();
  /** The parameter's child, for a segment that matches no literal. */
  parameter: { readonly name: string; readonly node: Node; readonly deep: boolean } | undefined;
  readonly routes = new Map<string, { readonly name: RouteName; readonly route: Route }>();

  child(segment: string, deep: boolean): Node {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      this.parameter ??= { name, node: new Node(), deep };
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
  const { path, deep }: Route = route;
  for (const segment of path.slice(1).split('/')) node = node.child(segment, deep === true);
  node.routes.set(route.method, { name: name as RouteName, route });
}

/** Finds the route of a request. Paths are compared byte for byte: escapes are not decoded. */
export function match(method: string, path: string): Match {
  if (!path.startsWith('/')) return UNKNOWN;
  const params: Record<string, string> = {};
  let node = root;
  for (let start = 1; start <= path.length; ) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(start, end);
    const literal = node.next.get(segment);
    if (literal) {
      node = literal;
    } else {
      const { parameter } = node;
      if (!parameter || !isValue(parameter.name, segment)) return UNKNOWN;
      params[parameter.name] = parameter.deep ? path.slice(start) : segment;
      node = parameter.node;
      if (parameter.deep) break;
    }
    // A trailing slash would add an empty segment.
    if (slash === path.length - 1) return UNKNOWN;
    start = end + 1;
  }
  if (node.routes.size === 0) return UNKNOWN;
  const found = node.routes.get(method === 'HEAD' ? 'GET' : method);
  return found ? { kind: 'route', ...found, params } : { kind: 'wrong method', allow: methodsOf(node), params };
}

/** Whether only authenticated callers learn if a path exists. */
export const needsKey = (path: string): boolean => path === '/service' || path.startsWith('/service/');

const isValue = (name: string, segment: string): boolean =>
  name === 'platform' ? segment === 'ios' || segment === 'android' : segment !== '';

const methodsOf = (node: Node): string[] =>
  [...node.routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
