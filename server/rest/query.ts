import { ServiceError } from '@runcloud/protocol/terms';

/**
 * The parameters of a query, each allowed name at most once. Throws `invalid_request` for any other name: a misspelt
 * filter must not look like an empty one.
 */
export function readQuery(query: string, allowed: readonly string[]): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const shown = name.slice(0, 64).replace(/[^\x20-\x7e]/g, '?');
    if (!allowed.includes(name)) {
      throw new ServiceError('invalid_request', `"${shown}" is not a known parameter; allowed: ${allowed.join(', ')}.`);
    }
    if (values[name] !== undefined) throw new ServiceError('invalid_request', `"${shown}" is given twice.`);
    values[name] = value;
  }
  return values;
}
