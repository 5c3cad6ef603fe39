/** How an embedded viewer looks. */
export interface ViewerLook {
  /** Whether the viewer shows its tools; default `true`. */
  readonly toolbar: boolean;
  /** Whether there is anything around the screen: the phone's body and the line on top; default `true`. */
  readonly frame: boolean;
  /** The colours; default `auto`, those of the user's system. */
  readonly theme: 'auto' | 'light' | 'dark';
  /** Size of the picture: `fit` (the default) is as large as the iframe allows; a number is CSS pixels for each pixel of the display. */
  readonly scale: 'fit' | number;
}

const DEFAULTS: ViewerLook = { toolbar: true, frame: true, theme: 'auto', scale: 'fit' };
const SCALE = { min: 0.1, max: 4 };

/** Parts of a look as text. Unknown names and values are ignored: a page may be newer. */
function partsOf({ toolbar, frame, theme, scale }: Readonly<Record<string, string | undefined>>): Partial<ViewerLook> {
  const size = Number(scale);
  return {
    ...(toolbar === undefined ? {} : { toolbar: toolbar !== 'off' }),
    ...(frame === undefined ? {} : { frame: frame !== 'off' }),
    ...(theme === 'auto' || theme === 'light' || theme === 'dark' ? { theme } : {}),
    ...(scale === 'fit' ? { scale } : size > 0 ? { scale: Math.min(SCALE.max, Math.max(SCALE.min, size)) } : {}),
  };
}

/** The look that a fragment such as `#toolbar=off&theme=dark&scale=0.5` asks for. */
export const readLook = (fragment: string): ViewerLook => ({
  ...DEFAULTS,
  ...partsOf(Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')))),
});

/** A look whose absent parts are those that the address and the attributes of the iframe have. */
type Wanted = { readonly [Part in keyof ViewerLook]?: ViewerLook[Part] | undefined };

/**
 * The session's address with a look in its fragment, which never reaches the server.
 *
 * @param attributes of the iframe: `data-toolbar="off"`, `data-frame="off"`, `data-theme`, `data-scale`
 */
export function withLook(url: string, wanted: Wanted, attributes: DOMStringMap = {}): string {
  const [address = '', fragment = ''] = url.split('#');
  const given = {
    ...partsOf(attributes),
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  };
  // The fragment may be somebody else's.
  if (Object.keys(given).length === 0) return url;
  const { toolbar, frame, theme, scale } = { ...readLook(fragment), ...given } as ViewerLook;
  const parts = new URLSearchParams();
  if (!toolbar) parts.set('toolbar', 'off');
  if (!frame) parts.set('frame', 'off');
  if (theme !== DEFAULTS.theme) parts.set('theme', theme);
  if (scale !== DEFAULTS.scale) parts.set('scale', String(scale));
  return parts.size === 0 ? address : `${address}#${parts}`;
}
