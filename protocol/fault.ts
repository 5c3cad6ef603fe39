/** Why a value is refused: the offending field by its path (`steps[3].delayMs`) and what is allowed there. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault; readonly value?: undefined };

export const fault = (path: string, message: string): Fault => ({ path, message });

/** The sentence for a caller: the field, then what is wrong with it. */
export function faultSentence({ path, message }: Fault): string {
  return path === '' ? `The request ${message}.` : `"${path}" ${message}.`;
}
