// Node.js 20 hands the loader of the main thread to no worker, so each one asks for TypeScript itself.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
