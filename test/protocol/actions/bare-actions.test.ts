import t from 'tap';
import { accept, refuse } from '../checks.ts';

for (const action of ['reload', 'toggleSoftwareKeyboard', 'simulateMemoryWarning', 'listApps']) {
  t.test(`${action} takes the common fields and no other`, async (t) => {
    t.same(accept({ action }), { action, requestId: 'made', timeoutMs: 15_000 });
    t.same(accept({ action, requestId: 'r', timeoutMs: 100 }), { action, requestId: 'r', timeoutMs: 100 });
    for (const field of ['x', 'enabled', 'durationMs', 'delta']) refuse({ action, [field]: 1 }, field, t);
  });
}
