/** What an element can be, as far as its device tells of it. */
export const UI_STATES = ['visible', 'enabled', 'selected', 'checked', 'focused'] as const;
export type UiState = (typeof UI_STATES)[number];
