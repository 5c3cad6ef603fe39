import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../errors.ts';
import type { Checked } from '../fault.ts';
import { checkListQuery, ListQuery } from '../listing.ts';
import type { JsonBody, Query, RouteRole } from './route.ts';

/** Helpers that build route values. */

export const get = <const Path extends string>(path: Path, summary: string) =>
  ({ method: 'GET', path, summary }) as const;

export const post = <const Path extends string, const Writes>(path: Path, summary: string, writes: Writes) =>
  ({ method: 'POST', path, summary, writes }) as const;

export const put = <const Path extends string, const Writes>(path: Path, summary: string, writes: Writes) =>
  ({ method: 'PUT', path, summary, writes }) as const;

export const remove = <const Path extends string, const Writes>(path: Path, summary: string, writes: Writes) =>
  ({ method: 'DELETE', path, summary, writes }) as const;

export const byKey = <const R extends RouteRole>(role: R) => ({ credential: 'key', role }) as const;

export const jsonBody = <T>(
  schema: TSchema,
  check: (value: unknown) => Checked<T>,
  invalid: ErrorCode = 'invalid_request',
): JsonBody<T> => ({ kind: 'json', schema, check, invalid });

export const query = <T>(
  schema: TObject,
  check: (values: Readonly<Record<string, string>>) => Checked<T>,
  invalid: ErrorCode = 'invalid_request',
): Query<T> => ({ schema, check, invalid });

/** The query of a list that has no filters. */
export const LIST_QUERY = query(ListQuery, checkListQuery);
