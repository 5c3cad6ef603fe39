import { KEYS } from '../../../protocol/keys.ts';
import type { SessionHandle } from '../../sdk/session.ts';
import type { Button, Key, UiNode } from '../../sdk/types.ts';
import { StepFailure } from '../fault.ts';
import { readSelector } from '../selector.ts';
import type { Commands, ReadCommand, Run } from '../step.ts';
import type { Value } from '../value.ts';
import { COPIED_TEXT } from '../variables.ts';

const TEXT_MAX = 10_000;
const ERASED = { min: 1, max: 1_000, default: 50 } as const;
/** What a US keyboard types; all else is inserted. */
const TYPED = /^[\t\n\x20-\x7e]*$/;

const isCopied = (value: Value): boolean =>
  value.isScalar && value.written.replaceAll(/\s/g, '') === `\${${COPIED_TEXT}}`;

const inputText: ReadCommand = (value) => {
  const given = value.isRecord ? value.record('inputText', ['text', 'label', 'optional']).text : value;
  if (!given) throw value.fault('"text" is missing.');
  if (isCopied(given)) return pasteText(given);
  const text = given.text();
  const count = [...text].length;
  if (count === 0 || count > TEXT_MAX)
    throw given.fault(`A text to type has 1 to ${TEXT_MAX.toLocaleString('en')} characters.`);
  return { words: JSON.stringify(given.written), perform: (run) => write(run, text) };
};

const pasteText = (_value: Value) => ({
  words: '',
  perform: async (run: Run) => {
    const { copiedText } = run;
    if (copiedText === undefined) throw new StepFailure('Nothing was copied before.');
    if (copiedText !== '') await write(run, copiedText);
  },
});

async function write(run: Run, text: string): Promise<void> {
  await inFocus(run);
  const { session, signal } = run;
  await (TYPED.test(text) ? session.typeText(text, { signal }) : session.insertText(text, { signal }));
}

/** The element that has the focus, once there is one or the screen stands still without one. */
async function inFocus({ screen }: Run): Promise<UiNode | undefined> {
  const now = focused((await screen.read()).nodes);
  if (now) return now;
  await screen.still();
  return focused((await screen.read()).nodes);
}

function focused(nodes: readonly UiNode[]): UiNode | undefined {
  for (const node of nodes) {
    const within = focused(node.children ?? []) ?? (node.focused ? node : undefined);
    if (within) return within;
  }
  return undefined;
}

const eraseText: ReadCommand = (value) => {
  const given = value.isRecord
    ? value.record('eraseText', ['charactersToErase', 'label', 'optional']).charactersToErase
    : value;
  const most =
    given && !given.isAbsent ? given.whole('a number of characters', ERASED.min, ERASED.max) : ERASED.default;
  return {
    words: given && !given.isAbsent ? given.written : '',
    perform: async (run) => {
      const field = await inFocus(run);
      // A secret is not told: then as many keys are pressed as the flow says.
      const held = field?.value === undefined || field.secure ? most : [...field.value].length;
      for (let left = Math.min(most, held); left > 0; left--)
        await run.session.pressKey('backspace', { signal: run.signal });
    },
  };
};

/** The format's names of keys and buttons. */
const BUTTONS: Readonly<Record<string, Button>> = {
  home: 'home',
  back: 'back',
  power: 'power',
  lock: 'power',
  'volume up': 'volumeUp',
  'volume down': 'volumeDown',
};
const NAMED_KEYS: Readonly<Record<string, Key>> = {
  enter: 'enter',
  backspace: 'backspace',
  tab: 'tab',
  escape: 'escape',
  delete: 'delete',
};
const KEY_NAMES = ['Home', 'Back', 'Lock', 'Power', 'Volume Up', 'Volume Down', 'Enter', 'Backspace', 'Tab', 'Escape'];

const pressKey: ReadCommand = (value, { platform }) => {
  const given = value.isRecord ? value.record('pressKey', ['key', 'label', 'optional']).key : value;
  if (!given) throw value.fault('"key" is missing.');
  const name = given.text('the name of a key').toLowerCase();
  const button = BUTTONS[name];
  const words = given.written;
  if (button === 'back' && platform === 'ios') throw given.fault('An iPhone has no back button.');
  if (button) {
    return { words, perform: async ({ session, signal }) => void (await session.pressButton(button, { signal })) };
  }
  const key = NAMED_KEYS[name] ?? KEYS.find((one) => one.toLowerCase() === name);
  if (!key) throw given.fault(`There is no key "${given.text()}": one of ${KEY_NAMES.join(', ')}.`);
  return { words, perform: async ({ session, signal }) => void (await session.pressKey(key, { signal })) };
};

const copyTextFrom: ReadCommand = (value) => {
  const selector = readSelector(value);
  return {
    words: selector.words,
    perform: async (run) => {
      const { node } = await run.screen.find(selector);
      // A field is called by its name, and holds its value.
      run.copiedText = node.editable ? (node.value ?? '') : (node.name ?? node.value ?? '');
    },
  };
};

const setClipboard: ReadCommand = (value) => {
  const given = value.isRecord ? value.record('setClipboard', ['text', 'label', 'optional']).text : value;
  if (!given) throw value.fault('"text" is missing.');
  const text = given.text();
  return {
    words: JSON.stringify(given.written),
    perform: async (run) => {
      await run.session.clipboard.write(text, { signal: run.signal });
      run.copiedText = text;
    },
  };
};

const hideKeyboard: ReadCommand = (value, { platform }) => {
  if (!value.isAbsent) value.record('hideKeyboard', ['label', 'optional']);
  return {
    words: '',
    perform: async ({ session, screen, signal }) => {
      await screen.still();
      if (!hasKeyboard((await screen.read()).nodes)) return;
      await hide(session, platform, signal);
      await screen.still();
      if (hasKeyboard((await screen.read()).nodes)) throw new StepFailure('The keyboard is still there.');
    },
  };
};

const hide = (session: SessionHandle, platform: string, signal: AbortSignal): Promise<unknown> =>
  platform === 'android' ? session.pressButton('back', { signal }) : session.toggleSoftwareKeyboard({ signal });

const hasKeyboard = (nodes: readonly UiNode[]): boolean =>
  nodes.some(({ role, children = [] }) => role === 'keyboard' || hasKeyboard(children));

export const TEXT: Commands = {
  inputText,
  pasteText: (value) => {
    if (!value.isAbsent) value.record('pasteText', ['label', 'optional']);
    return pasteText(value);
  },
  eraseText,
  pressKey,
  copyTextFrom,
  setClipboard,
  hideKeyboard,
};
