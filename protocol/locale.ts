/** A language, with a script and a region or without, as BCP 47 has them, in its usual case. */
export const LOCALE_PATTERN = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$';
