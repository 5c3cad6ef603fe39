import { drawableOf } from './text/faces.ts';

/** The locale of a new phone. */
export const USUAL_LOCALE = 'en-GB';

/** The words of a date. */
export interface DateWords {
  readonly day: string;
  readonly date: number;
  readonly month: string;
  /** Day of the week, date and month, in the order of the locale. */
  readonly long: string;
}

/** Node.js' own texts of English differ between its releases, and every host is to show the same. */
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

interface Formats {
  readonly day: Intl.DateTimeFormat;
  readonly month: Intl.DateTimeFormat;
  readonly long: Intl.DateTimeFormat;
}

/** Of the locales that were used last: sessions may name any of very many. */
const formats = new Map<string, Formats>();
const FORMATS_MAX = 8;

function formatsOf(locale: string): Formats {
  const known = formats.get(locale);
  if (known) return known;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' });
  const made = {
    day: format({ weekday: 'long' }),
    month: format({ month: 'long' }),
    long: format({ weekday: 'long', day: 'numeric', month: 'long' }),
  };
  if (formats.size === FORMATS_MAX) formats.clear();
  formats.set(locale, made);
  return made;
}

/** The date of the wall clock, in UTC as the time. */
export function dateWords(wallMs: number, locale: string): DateWords {
  const at = new Date(wallMs);
  const date = at.getUTCDate();
  if (/^en\b/.test(locale)) {
    const [day = '', month = ''] = [DAYS[at.getUTCDay()], MONTHS[at.getUTCMonth()]];
    return { day, date, month, long: `${day}, ${date} ${month}` };
  }
  const { day, month, long } = formatsOf(locale);
  return { day: day.format(at), date, month: month.format(at), long: long.format(at) };
}

/**
 * Whether the phone has the words of a locale: Node.js knows its language, and the fonts have all of its letters.
 * @param locale well-formed, as BCP 47 has it
 */
export function hasLocale(locale: string): boolean {
  if (Intl.DateTimeFormat.supportedLocalesOf([locale]).length === 0) return false;
  for (let month = 0; month < 12; month++) {
    const { day, month: name, long } = dateWords(Date.UTC(2024, month, month + 1), locale);
    if ([...`${day}${name}${long}`].some((character) => drawableOf(character, 400) === undefined)) return false;
  }
  return true;
}
