import { dim, green, red, type Span, yellow } from './line.ts';

const STYLES: Readonly<Record<string, (text: string) => Span>> = {
  active: green,
  ready: green,
  starting: yellow,
  releasing: yellow,
  finalizing: yellow,
  recording: red,
  failed: red,
  released: dim,
  expired: dim,
  deleting: dim,
  deleted: dim,
};

/** The status of a session or of a recording. */
export const statusSpan = (status: string): Span => STYLES[status]?.(status) ?? status;
