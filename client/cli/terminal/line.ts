/** Lines for people: text with the styles that a terminal may show. What writes them makes the text safe, and leaves styles out. */

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Styled {
  readonly text: string;
  readonly style: Style;
}

/** A piece of a line. */
export type Span = string | Styled;
export type Line = Span | readonly Span[];

const styled =
  (style: Style) =>
  (text: string): Styled => ({ text, style });

export const bold = styled('bold');
export const dim = styled('dim');
export const red = styled('red');
export const green = styled('green');
export const yellow = styled('yellow');
export const cyan = styled('cyan');

export const TICK = green('✓');
export const CROSS = red('✗');

export const textOf = (span: Span): string => (typeof span === 'string' ? span : span.text);

/** Another text in the style of a span. */
export const inStyleOf = (span: Span, text: string): Span => (typeof span === 'string' ? text : { ...span, text });

/** Something was done. */
export const done = (...spans: readonly Span[]): Line => [TICK, ' ', ...spans];

export const spansOf = (line: Line): readonly Span[] => (Array.isArray(line) ? line : [line as Span]);
