import { finish } from '../../server/finisher/finish.ts';

/** A process of its own, to be killed: finishes the same capture again and again, and says when it begins. */

const [partFile = '', journalFile = '', targetFile = ''] = process.argv.slice(2);
for (;;) {
  process.stdout.write('begin\n');
  await finish({ partFile, journalFile, targetFile });
}
