/** The name of one simulator, as CoreSimulator writes it: an upper-case UUID. */
export type Udid = string;

const UDID = /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/;

/**
 * Whether a text names one simulator. `booted`, which means whichever runs, is none: every command names its simulator, so
 * that it never reaches somebody else's.
 */
export const isUdid = (text: string): text is Udid => UDID.test(text);
