import t from 'tap';
import { holdsFieldName, isFieldName } from '../../server/wire/field-names.ts';

const holds = (name: string): boolean => {
  const bytes = new TextEncoder().encode(`ab${name}cd`);
  return holdsFieldName(bytes, 2, bytes.length - 4);
};

t.test('fields of every depth and of every message are known, as text and as bytes', async (t) => {
  const names = ['type', 'requestId', 'steps', 'points', 'x', 'delayMs', 'idempotencyKey', 'encodings', 'modifiers'];
  for (const name of names) {
    t.ok(isFieldName(name), name);
    t.ok(holds(name), name);
  }
});

t.test('names that no field has are not known, however like one they are', async (t) => {
  for (const name of ['', 'X', 'step', 'stepss', 'stqps', 'toString', 'constructor', '__proto__', 'requestID', 'é']) {
    t.notOk(isFieldName(name), name);
    t.notOk(name !== '' && holds(name), name);
  }
});
