import type { FieldsOf } from '@runcloud/protocol';
import type { Notice } from '../environment.ts';

/** Older notifications are dropped. */
const NOTICES_MAX = 8;

/** The notifications with another one, newest first. */
export const withNotice = (notices: readonly Notice[], notice: Notice): readonly Notice[] =>
  [notice, ...notices].slice(0, NOTICES_MAX);

/** What a person reads of a payload; `undefined` where it has no alert. Of what is no text, nothing is shown. */
export function alertOf(
  { aps }: FieldsOf<'sendPush'>['payload'],
  appName: string,
): Pick<Notice, 'title' | 'text'> | undefined {
  const { alert } = aps as { readonly alert?: unknown };
  const { title, body } =
    typeof alert === 'object' && alert !== null ? (alert as Record<string, unknown>) : { title: '', body: alert };
  const said = { title: oneLine(title), text: oneLine(body) };
  if (said.title === '' && said.text === '') return undefined;
  return { ...said, title: said.title || appName };
}

const oneLine = (text: unknown): string =>
  typeof text === 'string' ? text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : '';
