import type { Notice } from '../environment.ts';

/** Older notifications are dropped. */
const NOTICES_MAX = 8;

/** The notifications with another one, newest first. */
export const withNotice = (
  notices: readonly Notice[],
  title: string,
  text: string,
  wallMs: number,
): readonly Notice[] => [{ title, text, wallMs }, ...notices].slice(0, NOTICES_MAX);
