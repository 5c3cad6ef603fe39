export * from './durations.ts';
export * from './ids.ts';
export * from './keys.ts';
export * from './platforms.ts';
