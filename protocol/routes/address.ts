import type { Static, TSchema } from '@sinclair/typebox';
import type { ROUTES } from './index.ts';

/** Typed addresses of routes for clients. The types are resolved at compile time: no route is loaded at run time. */

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

/** The body of a successful answer of the route at an address. */
export type AnswerAt<A extends Address> = JsonOf<RouteAt<A>['answers'][(200 | 201) & keyof RouteAt<A>['answers']]>;

declare const ADDRESS: unique symbol;

/** Method and path of a call; the address exists only as a type. */
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
