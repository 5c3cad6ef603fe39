import { decides } from './ask.ts';

export const define = decides('grant');
