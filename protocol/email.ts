/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const EMAIL_CHARACTERS_MAX = 254;
export const EMAIL_PATTERN = '^[^\\s@\\u0000-\\u001f\\u007f<>"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,188}[A-Za-z0-9])?$';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
export const isEmail = (text: string): boolean => text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text);
