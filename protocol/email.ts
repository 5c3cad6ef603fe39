import { LIMITS } from './limits.ts';

export const EMAIL_PATTERN = '^[^\\s@\\u0000-\\u001f\\u007f<>"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,188}[A-Za-z0-9])?$';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
export const isEmail = (text: string): boolean => text.length <= LIMITS.emailCharacters && EMAIL.test(text);
