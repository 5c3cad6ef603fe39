import type { Bearer } from '../../server/flow/quota.ts';

/** The owner's key. */
export const KEY: Bearer = { name: 'key', kind: 'key' };
/** The link that comes with a session. */
export const SESSION_LINK: Bearer = { name: 'ses_1', kind: 'session link' };
/** One of a session's viewer links. */
export const viewerLink = (name: string): Bearer => ({ name, kind: 'viewer link' });
