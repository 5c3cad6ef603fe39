const PRINTABLE = /^[\x20-\x7e]*$/;

/** Removes the characters that are not printable ASCII from a header's value: a line break would start another header. */
export function headerValue(value: string): string {
  return PRINTABLE.test(value) ? value : value.replace(/[^\x20-\x7e]/g, '');
}
