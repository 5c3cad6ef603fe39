/** Where the content lies that comes into sight. */
export const SCROLL_DIRECTIONS = ['down', 'up', 'right', 'left'] as const;
export type ScrollDirection = (typeof SCROLL_DIRECTIONS)[number];
