import { defineAction } from './define-action.ts';

export const simulateMemoryWarning = defineAction({
  name: 'simulateMemoryWarning',
  summary: 'Tell the apps that memory is short',
  fields: {},
  command: { name: 'memory-warning', examples: ['memory-warning'] },
});
