import { load } from '../code/load.mjs';

await load('webdriver');
