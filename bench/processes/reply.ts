/** What a child answers an order with. */
export type Reply<Figures> =
  | { readonly ok: true; readonly figures: Figures }
  | { readonly ok: false; readonly error: string };
