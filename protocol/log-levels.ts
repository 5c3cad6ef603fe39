/** How much a line of a log matters, the least first. */
export const LOG_LEVELS = ['verbose', 'debug', 'info', 'warning', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
