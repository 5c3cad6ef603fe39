export * from './keys.ts';
export * from './platforms.ts';
