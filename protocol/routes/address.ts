import type { Static, TSchema } from '@sinclair/typebox';
import type { ROUTES } from './index.ts';

/** What clients name routes by. Nothing of a route is loaded for it: the compiler alone looks it up. */

type Routes = (typeof ROUTES)[keyof typeof ROUTES];
type AddressOf<R> = R extends Routes ? `${R['method']} ${R['path']}` : never;

/** A method and a path of the service, such as `GET /service/sessions/{sessionId}`. */
export type Address = AddressOf<Routes>;

type RouteAt<A extends Address, R = Routes> = R extends Routes ? (AddressOf<R> extends A ? R : never) : never;
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;
type Params<A> = { readonly [Name in ParameterOf<A>]: string };
type MethodOf<A> = A extends `${infer Method extends Routes['method']} ${string}` ? Method : never;

/** Values for the path's parameters; none where it has no parameter. */
export type ParamsAt<A extends Address> = [ParameterOf<A>] extends [never] ? [] : [params: Params<A>];

type JsonOf<Answer> = Answer extends { readonly schema: infer S extends TSchema } ? Static<S> : unknown;

/** What the route at an address answers when it succeeds. */
export type AnswerAt<A extends Address> = JsonOf<RouteAt<A>['answers'][(200 | 201) & keyof RouteAt<A>['answers']]>;

declare const ADDRESS: unique symbol;

/** Where a call goes. The compiler alone knows the address. */
export interface RouteCall<A extends Address> {
  readonly method: MethodOf<A>;
  /** With its parameters filled in. */
  readonly path: string;
  readonly [ADDRESS]?: A;
}

export function routeTo<const A extends Address>(address: A, ...[params]: ParamsAt<A>): RouteCall<A> {
  const [method = '', path = ''] = address.split(' ', 2);
  const values: Readonly<Record<string, string>> = params ?? {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  return { method: method as MethodOf<A>, path: filled };
}
