/** A child's answer to an order. */
export type Reply<Figures> =
  | { readonly ok: true; readonly figures: Figures }
  | { readonly ok: false; readonly error: string };
