import { join } from 'node:path';
import t from 'tap';
import * as yaml from 'yaml';
import { type Captured, capture } from '../../../client/flow/capture.ts';
import { readFlow } from '../../../client/flow/read-flow.ts';
import type { HistoryEntry, Touched } from '../../../client/sdk/types.ts';

type Given = readonly [
  action: string,
  fields: HistoryEntry['fields'],
  touched?: Touched | undefined,
  more?: Partial<HistoryEntry>,
];

/** Entries a second apart, each of which took 10 ms. */
const entriesOf = (given: readonly Given[]): readonly HistoryEntry[] =>
  given.map(([action, fields, touched, more], index) => ({
    seq: index + 1,
    requestId: `r${index}`,
    action,
    fields,
    by: { kind: 'key', transport: 'socket' },
    status: 'completed',
    acceptedAt: new Date(1_000 * index).toISOString(),
    completedAt: new Date(1_000 * index + 10).toISOString(),
    durationMs: 10,
    ...(touched ? { touched } : {}),
    ...more,
  }));

const made = (...given: readonly Given[]): Captured => capture(entriesOf(given), { yaml, name: 'A walk' });
const commandsOf = (...given: readonly Given[]): string => made(...given).text.split('---\n')[1] ?? '';

const at = { x: 0.5, y: 0.25 };
const frame = { x: 0.4, y: 0.2, width: 0.2, height: 0.1 };
const on = (name: string, more: object = {}): Touched => ({
  app: 'Shop',
  element: { role: 'button', name, frame, ...more },
});

t.test('a touch is told by what was under it, with the reason', (t) => {
  for (const [touched, lines] of [
    [on('Save'), '- tapOn: Save # button by its name\n'],
    [on('Total (2)'), '- tapOn: Total \\(2\\) # button by its name\n'],
    [on('2022'), '- tapOn: "2022" # button by its name\n'],
    [on('a: b #c'), '- tapOn: "a: b #c" # button by its name\n'],
    [on('Two\nlines'), undefined],
    [on('Save', { id: 'x.save' }), '- tapOn: # button "Save" by its id\n    id: x\\.save\n'],
    [
      on('Delete', { index: 1 }),
      '- tapOn: # button, number 2 from the top of those with this name\n    text: Delete\n    index: 1\n',
    ],
    [
      on('Volume', { role: 'slider' }),
      '- tapOn: # slider by its name; where in it matters\n    text: Volume\n    point: 50%,50%\n',
    ],
    [{ app: 'Shop' }, '- tapOn: # nothing here has a name\n    point: 50%,25%\n'],
    [undefined, '- tapOn: # what was here is not known\n    point: 50%,25%\n'],
  ] as const) {
    const text = commandsOf(['tap', at, touched]);
    if (lines !== undefined) t.equal(text, lines);
    const [command] = yaml.parse(text);
    if (touched?.element) t.equal(typeof command.tapOn === 'string' || typeof command.tapOn === 'object', true);
  }
  t.end();
});

t.test('taps, presses and swipes are told apart by what the finger did', (t) => {
  const finger = (...steps: readonly [x: number, y: number, atMs: number][]) => ({
    steps: steps.map(([x, y, atMs]) => ({ phase: 'move', points: [{ x, y }], atMs })),
  });
  t.equal(
    commandsOf(['pointer', finger([0.5, 0.5, 0], [0.505, 0.5, 90]), on('A')]),
    '- tapOn: A # button by its name\n',
  );
  t.equal(
    commandsOf(['pointer', finger([0.5, 0.5, 0], [0.5, 0.5, 700]), on('A')]),
    '- longPressOn: A # button by its name\n',
  );
  const soon = { acceptedAt: new Date(200).toISOString() };
  t.equal(commandsOf(['tap', at, on('A')], ['tap', at, on('A'), soon]), '- doubleTapOn: A # button by its name\n');
  t.equal(
    commandsOf(['pointer', finger([0.2, 0.5, 0], [0.8, 0.5, 300]), on('A')]),
    '- swipe: # a swipe has no name\n    start: 20%,50%\n    end: 80%,50%\n    duration: 300\n',
  );
  const two = {
    steps: [
      { phase: 'begin', points: [at, at] },
      { phase: 'end', points: [at, at] },
    ],
  };
  t.match(made(['gesture', two]), { leftOut: ['a gesture of two fingers, which the format of flows cannot say'] });
  t.end();
});

t.test('what programs name is told as it was found, else as it was named', (t) => {
  const target = { text: 'save' };
  t.equal(commandsOf(['tapElement', { target }, on('Save')]), '- tapOn: Save # button by its name\n');
  t.equal(commandsOf(['tapElement', { target }, { app: 'Shop' }]), '- tapOn: save # other by its name\n');
  t.equal(
    commandsOf(['typeText', { target: { ref: '@1', frame: 2 }, text: 'Ada' }, on('Name', { role: 'textfield' })]),
    '- tapOn: Name # textfield by its name\n- inputText: Ada\n',
  );
  t.match(made(['tapElement', { target: { ref: '@1', frame: 2 } }]).leftOut, [
    /^a tap on an element that was not there yet/,
  ]);
  t.end();
});

t.test('what was scrolled for is waited for; else the finger does the same', (t) => {
  const down = { x: 0.5, y: 0.5, deltaX: 0, deltaY: 0.3 };
  t.equal(
    commandsOf(['scroll', down], ['scroll', down], ['tap', at, on('About')]),
    '- scrollUntilVisible: # 2 scrolls to the button that was touched then\n    element:\n      text: About\n    direction: DOWN\n- tapOn: About # button by its name\n',
  );
  const drag = { from: { x: 0.5, y: 0.3 }, to: { x: 0.5, y: 0.7 }, durationMs: 300 };
  t.match(commandsOf(['swipe', drag], ['tap', at, on('Top')]), /direction: UP\n- tapOn: Top/);
  t.match(
    commandsOf(['scroll', down], ['pressButton', { button: 'home' }]),
    /^- swipe: .*\n {4}start: 50%,50%\n {4}end: 50%,20%\n- pressKey: Home\n$/,
  );
  t.end();
});

t.test('texts become one, without what was corrected at once', (t) => {
  const key = (name: string, ...modifiers: readonly string[]): Given => [
    'pressKey',
    { key: name, modifiers, durationMs: 20 },
  ];
  t.equal(
    commandsOf(
      key('h', 'shift'),
      key('o'),
      key('backspace'),
      key('i'),
      key('space'),
      ['insertText', { text: 'Größe' }],
      key('enter'),
    ),
    '- inputText: Hi Größe\n- pressKey: Enter\n',
  );
  t.equal(commandsOf(key('a'), key('backspace'), key('backspace'), key('backspace')), '- eraseText: 2\n');
  t.equal(commandsOf(['typeText', { text: `a\${b}` }]), `- inputText: a\\\${b}\n`);
  t.equal(yaml.parse(commandsOf(['typeText', { text: 'one\n two\n' }]))[0].inputText, 'one\n two\n');
  t.match(made(key('v', 'meta')).leftOut, ['the keys meta+v, which the format of flows does not have']);
  const kept = made(
    ['typeText', { textCharacters: 3 }],
    ['pressKey', { textCharacters: 1 }],
    ['tap', at, on('A')],
    ['typeText', { textCharacters: 8 }],
  );
  t.same(kept.texts, ['TEXT_1', 'TEXT_2']);
  t.match(
    kept.text,
    /^- inputText: \$\{TEXT_1\} # the history keeps the length of a text alone: give it with --env TEXT_1=\.\.\.$/m,
  );
  t.end();
});

t.test('what has appeared is waited for', (t) => {
  const screen = (app: string, heading?: string, name = 'A'): Touched => ({
    ...on(name),
    app,
    ...(heading ? { heading } : {}),
  });
  t.equal(
    commandsOf(
      ['tap', at, screen('Home')],
      ['tap', at, screen('Shop', 'All orders')],
      ['tap', at, screen('Shop', 'One order')],
      ['scroll', { deltaX: 0, deltaY: 0.2 }, screen('Shop', 'One order')],
      ['tap', at, screen('Shop', 'Its address', 'B')],
      ['pressButton', { button: 'home' }, { app: 'Shop', heading: 'Sent' }],
    ).replaceAll(/ # button by its name/g, ''),
    `- pressKey: Home # it began on the home screen
- tapOn: A
- assertVisible: All orders # Shop has come to the front
- tapOn: A
- assertVisible: One order # the screen has changed to this
- tapOn: A
- scrollUntilVisible: # a scroll to the button that was touched then
    element:
      text: B
    direction: DOWN
- tapOn: B
- assertVisible: Sent # the screen has changed to this
- pressKey: Home
`,
  );
  t.match(
    capture(entriesOf([['tap', at, screen('Shop', 'Orders')]]), {
      yaml,
      name: 'x',
      end: { app: 'Shop', heading: 'Done' },
    }).text,
    /- assertVisible: Done # it was there at the end\n$/,
  );
  t.end();
});

t.test('commands of a device are told as they are, and what cannot be told is said', async (t) => {
  const all = made(
    ['launchApp', { app: 'com.example.shop', arguments: { a: 'b' } }],
    ['launchApp', { app: 'com.example.shop', arguments: {}, url: 'shop://basket' }],
    ['terminateApp', { app: 'com.example.shop' }],
    ['clearAppData', { app: 'com.example.shop' }],
    ['open-url', { url: 'https://example.com' }],
    ['rotate', { orientation: 'landscape_left' }],
    ['setLocation', { latitude: 52.52, longitude: 13.4 }],
    ['pressButton', { button: 'back' }],
    ['pressButton', { button: 'volumeUp' }],
    ['pressButton', { button: 'appSwitcher' }],
    ['configureDevice', { appearance: 'dark' }],
    ['tap', at, on('A'), { status: 'failed' }],
    ['tap', at, on('A'), { lostBefore: 3 }],
  );
  t.match(all, { inputs: 13, byName: 1, byPlace: 0 });
  t.same(all.leftOut, [
    'the button "appSwitcher", which the format of flows does not have',
    'configureDevice, which the format of flows cannot say',
    'tap, which ended as failed',
    '3 inputs are missing in the history',
  ]);
  t.equal(all.text.match(/^# Left out: /gm)?.length, 4);
  const file = join(t.testdir({ 'flow.yaml': all.text }), 'flow.yaml');
  const flow = await readFlow(file, { platform: 'android', variables: {} });
  t.same(
    flow.steps.map(({ command, words }) => `${command} ${words}`.trim()),
    [
      'launchApp "com.example.shop"',
      'openLink "shop://basket"',
      'stopApp "com.example.shop"',
      'clearState "com.example.shop"',
      'openLink "https://example.com"',
      'setOrientation LANDSCAPE_LEFT',
      'setLocation 52.52, 13.4',
      'back',
      'pressKey Volume Up',
      'tapOn "A"',
    ],
    'what was written can be read',
  );
});
