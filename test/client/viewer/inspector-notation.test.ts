import { execFileSync } from 'node:child_process';
import type { Target, UiNode } from '@runcloud/protocol';
import { Command } from 'commander';
import fc from 'fast-check';
import t from 'tap';
import { type TargetOptions, targetOf, withTarget } from '../../../client/cli/target-options.ts';
import { meansOf, written } from '../../../client/viewer/inspector/notation.ts';

const TARGETS: readonly Target[] = [
  { id: 'notes.save' },
  { text: 'Save', role: 'button' },
  { text: 'it\'s $HOME `id` \\ "so"\n!', role: 'text', exact: true },
  { text: '--force', role: 'button', near: '-x', index: 3 },
  { role: 'cell', near: '日本語 😀' },
];
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((said) => !said.includes('\0'));
const SOME = fc.sample(
  fc
    .record({ text, near: text, exact: fc.constant(true as const), role: fc.constant('button' as const) })
    .map((target): Target => ({ ...target })),
  100,
);

t.test('what is copied as SDK code is the selector again', async (t) => {
  for (const target of [...TARGETS, ...SOME]) {
    const read = new Function('session', `return ${written({ target }, 'sdk')}`);
    t.strictSame(read({ get: (given: Target) => given }), target);
  }
});

t.test('what is copied for the command line is the selector again, in a shell', async (t) => {
  const all = [...TARGETS, ...SOME];
  const script = all.map((target) => written({ target }, 'cli').replace('runcloud tap', 'told')).join('\n');
  const told = `told() { printf '%s\\0' "$@" '<end>'; }\n${script}`;
  const words = execFileSync('sh', ['-c', told], { encoding: 'utf8' }).split('\0');
  for (const target of all) {
    const given = words.splice(0, words.indexOf('<end>') + 1).slice(0, -1);
    const command = withTarget(new Command()).exitOverride().parse(given, { from: 'user' });
    t.strictSame(targetOf(command.opts<TargetOptions>()), target);
  }
});

t.test('what no selector means is told by its place', async (t) => {
  const inner: UiNode = { role: 'other', frame: { x: 0, y: 0, width: 0.5, height: 0.5 } };
  const outer: UiNode = { role: 'other', frame: { x: 0, y: 0, width: 1, height: 0.5 }, children: [inner] };
  const means = meansOf([outer], outer);
  t.equal(written(means, 'sdk'), 'session.tap(0.5, 0.25)');
  t.equal(written(means, 'cli'), 'runcloud tap 0.5 0.25');
  t.equal(written(means, 'json'), '{"x":0.5,"y":0.25}');
  t.equal(written(meansOf([outer], inner), 'json'), '{"role":"other"}');
});
