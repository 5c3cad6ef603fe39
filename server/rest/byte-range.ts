/** The requested bytes of a representation; `end` is inclusive. */
export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: Selection = { kind: 'whole' };
const UNSATISFIABLE: Selection = { kind: 'unsatisfiable' };

/**
 * Parses a `Range` header (RFC 9110, section 14.2) for a representation of `size` bytes, at least 1. A malformed header, another
 * unit and a list of ranges are ignored, as the RFC permits: a list could request the same bytes many times.
 */
export function selectRange(header: string | undefined, size: number): Selection {
  const [, set] = /^bytes=(.*)$/i.exec(header ?? '') ?? [];
  if (set === undefined) return WHOLE;
  const specs = set
    .split(',')
    .map((spec) => spec.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((spec) => spec !== '');
  const [spec] = specs;
  if (spec === undefined || specs.length > 1) return WHOLE;
  const [, first = '', last = ''] = /^([0-9]*)-([0-9]*)$/.exec(spec) ?? [];
  if (first === '') return last === '' ? WHOLE : suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return WHOLE;
  if (start >= size) return UNSATISFIABLE;
  return { kind: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function suffix(length: number, size: number): Selection {
  if (length === 0) return UNSATISFIABLE;
  return { kind: 'part', start: Math.max(0, size - length), end: size - 1 };
}
