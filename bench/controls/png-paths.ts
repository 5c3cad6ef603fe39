/** Paths of the bare PNG server: one encodes a picture for each request, the other only sends its bytes. */
export const PNG_PATHS = { encoded: '/encoded', bytes: '/bytes' } as const;
