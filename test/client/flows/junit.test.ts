import { DOMParser, type Element } from '@xmldom/xmldom';
import t from 'tap';
import { junitOf } from '../../../client/flow/junit.ts';
import type { Flow } from '../../../client/flow/read-flow.ts';
import type { FlowResult } from '../../../client/flow/run-flow.ts';
import type { Step } from '../../../client/flow/step.ts';

/** What would break XML, or could not be in it at all. */
const HOSTILE = 'a < b & "c" > \'d\' ]]> \u0000\u001b\ufffe\ud800 é 🙂';
const SAID = 'a < b & "c" > \'d\' ]]> \ufffd\ufffd\ufffd\ufffd é 🙂';

const step: Step = {
  place: { file: 'a.yaml', line: 4, column: 3 },
  command: 'tapOn',
  words: JSON.stringify('Save'),
  isOptional: false,
  perform: async () => undefined,
};
const flow = (name: string, properties = {}): Flow => ({
  file: 'flows/a.yaml',
  name,
  tags: [],
  properties,
  onStart: [],
  steps: [step],
  onComplete: [],
});
const told = { step, depth: 0, isGroup: false, durationMs: 20 } as const;
const results: readonly FlowResult[] = [
  {
    flow: flow(HOSTILE, { team: HOSTILE }),
    status: 'passed',
    durationMs: 1_500,
    steps: [{ ...told, status: 'passed' }],
  },
  {
    flow: flow('Second'),
    status: 'failed',
    durationMs: 250,
    steps: [{ ...told, status: 'failed', message: HOSTILE }],
    failure: { step, message: HOSTILE, evidence: { outline: `heading "${HOSTILE}"`, files: ['out/screen.png'] } },
  },
];

/** Throws for everything that is no XML. */
function parsed(xml: string): Element {
  const onError = (level: string, message: string): void => {
    if (level !== 'warning') throw new Error(message);
  };
  const root = new DOMParser({ onError }).parseFromString(xml, 'text/xml').documentElement;
  if (!root) throw new Error('There is nothing in it.');
  return root;
}

t.test('the results are XML, whatever is in them', (t) => {
  const root = parsed(junitOf(results, 'ios'));
  t.equal(root.tagName, 'testsuites');
  const attributes = (element: Element) =>
    Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
  t.match(attributes(root), { tests: '2', failures: '1', errors: '0', time: '1.750' });
  const cases = [...root.getElementsByTagName('testcase')];
  t.match(cases.map(attributes), [
    { name: SAID, classname: 'flows/a.yaml', file: 'flows/a.yaml', time: '1.500' },
    { name: 'Second', time: '0.250' },
  ]);
  t.match(attributes(root.getElementsByTagName('property')[0] as Element), { name: 'team', value: SAID });
  const [first, second] = cases as [Element, Element];
  t.equal(first.getElementsByTagName('failure').length, 0);
  const failure = second.getElementsByTagName('failure')[0] as Element;
  t.match(attributes(failure), { type: 'tapOn', message: SAID });
  t.equal(failure.textContent, `a.yaml:4:3: ${SAID}\n\nheading "${SAID}"`);
  t.equal(
    second.getElementsByTagName('system-out')[0]?.textContent,
    'failed tapOn "Save" in 20 ms\n[[ATTACHMENT|out/screen.png]]',
  );
  t.end();
});

t.test('the judge finds what is no XML', (t) => {
  for (const text of ['<a>', '<a b="<"/>', '<a>&none;</a>']) t.throws(() => parsed(text), text);
  t.end();
});
