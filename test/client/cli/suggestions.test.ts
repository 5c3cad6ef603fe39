import t from 'tap';
import { suggestions } from '../../../client/cli/suggestions.ts';
import { commandLine } from '../../support/command-line.ts';

t.test('a word is looked for at the end of commands, then at the beginning', (t) => {
  const paths = ['session create', 'session list', 'record list', 'keys list', 'app list', 'screenshot', 'scroll'];
  t.same(suggestions('list', paths), ['session list', 'record list', 'keys list']);
  t.same(suggestions('screen', paths), ['screenshot']);
  t.same(suggestions('cr', paths), ['session create']);
  t.same(suggestions('s', paths), []);
  t.same(suggestions('dance', paths), []);
  t.end();
});

t.test('commands that people try are understood, or lead to the right one', async (t) => {
  const told = async (...args: readonly string[]) => {
    const { code, stderr } = await commandLine(args, { stateFolder: '/nonexistent' });
    t.equal(code, 2);
    return JSON.parse(stderr).error.message;
  };
  for (const [word, meant] of [
    ['versio', 'version'],
    ['verison', 'version'],
    ['screnshot', 'screenshot'],
    ['sessions', 'session'],
    ['lgoin', 'login'],
    ['upload', 'app upload'],
    ['download', 'record download'],
    ['start', 'record start'],
    ['open', 'open-url'],
  ] as const) {
    t.match(await told(word), new RegExp(`^Unknown command '${word}' \\(Did you mean (one of )?${meant}\\b`), word);
  }
  t.equal(await told('quadrille'), "Unknown command 'quadrille'.");
  t.match(await told('session', 'lst'), "Unknown command 'lst' (Did you mean list?)");
});
