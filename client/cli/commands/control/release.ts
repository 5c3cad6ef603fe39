import { asks } from './ask.ts';

export const define = asks('release');
