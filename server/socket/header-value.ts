const PRINTABLE = /^[\x20-\x7e]*$/;

/** What may be written as the value of a header: a line break would start another one. */
export function headerValue(value: string): string {
  return PRINTABLE.test(value) ? value : value.replace(/[^\x20-\x7e]/g, '');
}
