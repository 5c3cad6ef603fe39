import { existsSync } from 'node:fs';
import t from 'tap';
import { admin, json } from './support/admin-command.ts';

t.test('doctor tells what this host offers without a data directory, as text and as JSON', async (t) => {
  const dir = `${t.testdir()}/untouched`;
  const text = await admin(dir, 'doctor');
  t.match(text, { code: 0, stderr: '', stdout: /^Virtual devices +ready/ });
  const { findings } = json(await admin(dir, 'doctor', '--json')) as { findings: { what: string; state: string }[] };
  t.same(
    findings.slice(0, 3).map(({ what }) => what),
    ['Virtual devices', 'adb', 'Android Emulator'],
  );
  t.notOk(existsSync(dir));
  t.match(await admin(dir, 'doctor', 'more'), { code: 2 });
});
