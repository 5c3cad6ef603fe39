import { choice } from './field.ts';

export const LINK_ROLES = { view: 'Can only watch', control: 'Can control the session' } as const;

const TTLS = [
  ['10m', '10 minutes'],
  ['1h', '1 hour'],
  ['8h', '8 hours'],
] as const;

/** What a new viewer link may do and for how long: the fields, and the body of the request for it. */
export function linkForm() {
  const role = choice('Role', [
    ['view', LINK_ROLES.view],
    ['control', LINK_ROLES.control],
  ]);
  const ttl = choice('Valid for', TTLS, '1h');
  return {
    rows: [role.row, ttl.row],
    body: () => ({ role: role.select.value, ttl: ttl.select.value }),
  };
}
