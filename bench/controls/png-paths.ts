/** Paths of the bare PNG server: a picture that is encoded for each request, and one that is only sent. */
export const PNG_PATHS = { encoded: '/encoded', bytes: '/bytes' } as const;
