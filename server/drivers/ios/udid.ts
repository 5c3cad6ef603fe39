/** The name of one simulator, as CoreSimulator writes it: an upper-case UUID. */
export type Udid = string;

const UDID = /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/;

/**
 * True when a text names one simulator. `booted` is refused: every command names its simulator, so that it never
 * reaches another one.
 */
export const isUdid = (text: string): text is Udid => UDID.test(text);
