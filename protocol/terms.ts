/**
 * The contract's terms: what needs no schema. Code that checks no messages imports them from here, and does not load
 * TypeBox, which is as large as all the rest that a host loads.
 */
export * from './actions/scroll-directions.ts';
export * from './characters.ts';
export * from './close-codes.ts';
export * from './duration-text.ts';
export * from './email.ts';
export * from './error-words.ts';
export * from './errors.ts';
export * from './file-path.ts';
export * from './finding-lines.ts';
export * from './ids.ts';
export * from './keys.ts';
export * from './limits.ts';
export * from './locale.ts';
export * from './log-levels.ts';
export * from './network-limits.ts';
export * from './permission.ts';
export * from './platforms.ts';
export * from './release-reasons.ts';
export * from './screen-packet.ts';
export * from './screen-tiles.ts';
export * from './service-error.ts';
export * from './timer.ts';
export * from './ui-match.ts';
export * from './ui-selector.ts';
export * from './url-rules.ts';
