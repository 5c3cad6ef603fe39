import { join } from 'node:path';
import t from 'tap';
import { FlowFaults } from '../../../client/flow/fault.ts';
import { type Flow, readFlow } from '../../../client/flow/read-flow.ts';

type Folder = Record<string, string | Record<string, string>>;

async function read(
  t: Tap,
  files: Folder,
  variables: Record<string, string> = {},
  platform: 'ios' | 'android' = 'android',
) {
  return readFlow(join(t.testdir(files), 'flow.yaml'), { platform, variables });
}

type Tap = Pick<typeof t, 'testdir'>;

const commandsOf = ({ steps }: Flow) => steps.map(({ command, words }) => `${command} ${words}`.trim());

/** Each refusal as `line:column: sentence`. */
async function faultsOf(
  t: Tap,
  text: string,
  platform?: 'ios' | 'android',
  more: Folder = {},
): Promise<readonly string[]> {
  try {
    await read(t, { ...more, 'flow.yaml': text }, {}, platform);
    return [];
  } catch (error) {
    if (!(error instanceof FlowFaults)) throw error;
    return error.faults.map(({ place, message }) => `${place.line}:${place.column}: ${message}`);
  }
}

t.test('every form of a command that can be carried out is read', async (t) => {
  const flow = await read(t, {
    'flow.yaml': `
appId: com.example.shop
name: Checkout
tags:
  - smoke
  - pull-request
env:
  USER: ada
  GREETING: Hello \${USER}
properties:
  team: payments
onFlowStart:
  - clearState
onFlowComplete:
  - stopApp
---
- launchApp
- launchApp: com.example.other
- launchApp:
    appId: com.example.other
    clearState: true
    stopApp: false
    arguments:
      environment: staging
      attempts: 3
- tapOn: Save
- tapOn: 2022
- tapOn:
    id: com.example:id/save
    enabled: true
    index: 0
    retryTapIfNoChange: false
- tapOn:
    point: 50%, 25.5%
- tapOn:
    point: 100,200
    repeat: 3
    delay: 500
- tapOn:
    text: Terms
    point: "10%,90%"
- tapOn:
    text: Delete
    below: Groceries
    rightOf:
      id: title
      containsChild: Fruit
- doubleTapOn: Photo
- longPressOn:
    text: Row
    childOf:
      id: list
- inputText: \${GREETING}
- inputText:
    text: \\\${USER} is \${USER}
- eraseText
- eraseText: 5
- eraseText:
    charactersToErase: 7
- pressKey: Volume Up
- pressKey: Enter
- back
- hideKeyboard
- scroll
- scrollUntilVisible:
    element:
      text: About
    direction: down
    timeout: 5000
- swipe:
    direction: LEFT
    duration: 250
- swipe:
    start: 90%,50%
    end: 10%,50%
- swipe:
    from: Card
    direction: up
- assertVisible: .*saved.*
- assertNotVisible:
    text: Error
- extendedWaitUntil:
    visible: Done
    timeout: 20000
- waitForAnimationToEnd
- waitForAnimationToEnd:
    timeout: 5000
- takeScreenshot: after
- openLink: https://example.com
- copyTextFrom:
    id: code
- pasteText
- inputText: \${maestro.copiedText}
- setClipboard: 1234
- setLocation:
    latitude: 52.52
    longitude: 13.405
- setOrientation: LANDSCAPE_LEFT
- startRecording: walk
- stopRecording
- runFlow: sub/login.yaml
- runFlow:
    file: sub/login.yaml
    env:
      WHO: grace
    label: Sign in again
- runFlow:
    when:
      visible: Cookies
      platform: Android
    commands:
      - tapOn: Reject
- repeat:
    times: 3
    commands:
      - tapOn: More
- repeat:
    while:
      notVisible: End
    commands:
      - scroll
- retry:
    maxRetries: 2
    commands:
      - tapOn: Again
- killApp
- assertVisible:
    text: Optional
    optional: true
`,
    sub: {
      'login.yaml': `
appId: com.example.login
env:
  WHO: nobody
---
- inputText: \${WHO} and \${USER}
`,
    },
  });
  t.match(flow, { name: 'Checkout', tags: ['smoke', 'pull-request'], properties: { team: 'payments' } });
  t.matchSnapshot(commandsOf(flow).join('\n'));
  t.same(
    [flow.onStart, flow.onComplete].map((steps) => steps.map(({ command, words }) => `${command} ${words}`)),
    [['clearState "com.example.shop"'], ['stopApp "com.example.shop"']],
  );
  t.same(
    flow.steps.filter(({ isOptional }) => isOptional).map(({ words }) => words),
    ['"Optional"'],
  );
  t.same(
    flow.steps.flatMap(({ label = [] }) => label),
    ['Sign in again'],
  );
});

t.test('a step knows where it stands', async (t) => {
  const { steps } = await read(t, { 'flow.yaml': 'appId: a\n---\n- launchApp\n# a comment\n-   tapOn: Save\n' });
  t.match(steps, [{ place: { line: 3, column: 3 } }, { place: { line: 5, column: 5 } }]);
  t.match(steps[0]?.place.file, /flow\.yaml$/);
});

t.test('a variable has the value of the caller, else that of the flow around, else its own', async (t) => {
  const files = {
    'flow.yaml': `
env:
  A: file
  B: file
---
- openLink: x:\${A}-\${B}-\${MAESTRO_FILENAME}
- runFlow:
    file: sub.yaml
    env:
      C: around
`,
    'sub.yaml': `
env:
  C: own
  D: own
---
- openLink: x:\${A}-\${B}-\${C}-\${D}
`,
  };
  const opened: string[] = [];
  const { steps } = await read(t, files, { A: 'caller' });
  const session = { openUrl: async (url: string) => void opened.push(url) };
  const run = {
    session,
    perform: async (inner: typeof steps) => {
      for (const step of inner) await step.perform(run as never);
    },
  };
  await run.perform(steps);
  t.same(opened, ['x:caller-file-flow', 'x:caller-file-around-own']);
});

t.test('what cannot be done is refused by name, with the reason and the place', async (t) => {
  t.same(
    await faultsOf(
      t,
      `appId: a
---
- evalScript: \${output.x = 1}
- runScript: login.js
- setAirplaneMode: enabled
- tapOn:
    text: Save
    width: 100
- inputText: \${1 + 1}
- inputText: \${USER}
- assertWithAI:
    assertion: it looks right
- inputRandomEmail
- tapOn:
    text: Save
    retryTapIfNoChange: true
- launchApp:
    permissions: { all: deny }
`,
    ),
    [
      '3:3: "evalScript" is not supported: JavaScript is not run.',
      '4:3: "runScript" is not supported: JavaScript is not run.',
      '5:3: "setAirplaneMode" is not supported: the network of a device cannot be changed.',
      '8:12: "width" is not supported: the tree of the screen has no pixels.',
      `9:14: \${1 + 1} is JavaScript, which is not run: only \${NAME} is replaced.`,
      '10:14: There is no variable USER: give it with "--env USER=...", or in "env".',
      '11:3: "assertWithAI" is not supported: no language model is asked.',
      '13:3: "inputRandomEmail" is not supported: a flow types the same each time; use "inputText".',
      '16:25: "retryTapIfNoChange" is not supported: an element is waited for, and tapped once.',
      '18:18: "permissions" is not supported: apps have the permissions that the device gives them.',
    ],
  );
});

t.test('a misspelt name is answered with the nearest one that there is', async (t) => {
  t.same(
    await faultsOf(
      t,
      `appid: a
---
- taponn: Save
- tapOn:
    txet: Save
- swipe:
    direction: LFET
- pressKey: Hom
- completelyUnknown
`,
    ),
    [
      '1:8: "appid" is unknown in the head of a flow. Did you mean "appId"?',
      '3:3: There is no command "taponn". Did you mean "tapOn"?',
      '5:11: "txet" is unknown in this command. Did you mean "text"?',
      '7:16: "LFET" must be one of UP, DOWN, LEFT, RIGHT. Did you mean "LEFT"?',
      '8:13: There is no key "Hom": one of Home, Back, Lock, Power, Volume Up, Volume Down, Enter, Backspace, Tab, Escape.',
      '9:3: There is no command "completelyUnknown".',
    ],
  );
});

t.test('values that cannot be are refused', async (t) => {
  for (const [command, sentence] of [
    ['tapOn: {}', /names no element/],
    ['tapOn: [a]', /must name an element/],
    ['tapOn', /must name an element/],
    ['tapOn: { point: "120%,5%" }', /not on the display/],
    ['tapOn: { point: "5,5%" }', /must be a point/],
    ['tapOn: { text: a, repeat: 0 }', /a number of times, 1 to 100/],
    ['swipe: { start: "1%,1%" }', /has a direction, or start and end/],
    ['swipe: { direction: UP, end: "1%,1%" }', /has a direction, or start and end/],
    ['takeScreenshot: ../../elsewhere', /not within the output folder/],
    ['setLocation: { latitude: 100, longitude: 0 }', /a latitude, -90 to 90/],
    ['repeat: { commands: [back] }', /"times" or "while" is missing/],
    ['runFlow: {}', /Either "file" or "commands"/],
    ['runFlow: { when: {}, commands: [] }', /A condition has/],
    ['inputText: ""', /1 to 10,000 characters/],
    ['launchApp', /No app is named/],
    ['tapOn: &here a', undefined],
    ['tapOn: *here', /This is no YAML|must name an element/],
    ['{ tapOn: a, back: b }', /each command is an item of its own/],
    ['17', /There is no command "17"/],
    ['[a]', /must be a command/],
  ] as const) {
    const [fault] = await faultsOf(t, `name: x\n---\n- ${command}\n`);
    if (sentence === undefined) t.equal(fault, undefined, command);
    else t.match(fault, sentence, command);
  }
});

t.test('a file that is no flow is refused with its place', async (t) => {
  for (const [text, sentence] of [
    ['', /1:1: A flow has a head/],
    ['appId: a\n', /1:1: A flow has a head/],
    ['just words\n---\n- back\n', /1:1: The head of a flow is a record/],
    ['appId: a\n---\n- back\n---\n- back\n', /5:1: A flow has two parts/],
    ['appId: a\n---\n- tapOn: "no end\n', /This is no YAML/],
    ['appId: a\nappId: b\n---\n- back\n', /2:1: This is no YAML: .*unique/],
    [`appId: a\n---\n${'- ['.repeat(20_000)}`, /This/],
    ['appId: a\n---\ntapOn: Save\n', /3:1: This must be a list of commands/],
  ] as const) {
    t.match((await faultsOf(t, text))[0], sentence, JSON.stringify(text.slice(0, 40)));
  }
  t.same(await faultsOf(t, '- back\n'), [], 'a list alone is a flow');
  await t.rejects(readFlow('/never/there.yaml', { platform: 'ios', variables: {} }), {
    name: 'FlowFaults',
    message: /^\/never\/there\.yaml:1:1: .*ENOENT/,
  });
  t.match(await faultsOf(t, 'appId: a\n---\n- runFlow: gone.yaml\n'), [/^3:12: .*gone\.yaml cannot be read: ENOENT/]);
  t.match(await faultsOf(t, 'appId: a\n---\n- runFlow: flow.yaml\n'), [/^3:12: .*flow\.yaml runs itself/]);
});

t.test('what is for the other platform alone may say what this one cannot do', async (t) => {
  const text = 'appId: a\n---\n- runFlow:\n    when:\n      platform: Android\n    commands:\n      - back\n';
  t.same(await faultsOf(t, text, 'ios'), []);
  t.match(await faultsOf(t, 'appId: a\n---\n- back\n', 'ios'), [/^3:3: "back" is for Android/]);
  t.match(await faultsOf(t, 'appId: a\n---\n- pressKey: back\n', 'ios'), [/^3:13: An iPhone has no back button/]);
});
