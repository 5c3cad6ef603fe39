import type { SessionHandle } from '../../client/sdk/session.ts';
import type { Key, Modifier } from '../../client/sdk/types.ts';
import { WebDriverFailure } from './failure.ts';
import { isUnknownKey, keyOf, modifierOf, NULL_KEY } from './key-values.ts';
import { middleOf, type Placed, type Screen } from './screen.ts';

/** Taps an element where it is; by its reference, so that it is refused if the screen has changed since it was found. */
export async function tapped(
  session: SessionHandle,
  { tree }: Screen,
  { node }: Placed,
  signal: AbortSignal,
): Promise<void> {
  if (node.disabled) throw new WebDriverFailure('element not interactable', `${nameOf(node)} is disabled.`);
  if (node.ref !== undefined) await session.tapElement({ ref: node.ref, frame: tree.frame }, { signal });
  // What has no action of its own, such as a text in a cell, may still be tapped.
  else await session.tap(middleOf(node).x, middleOf(node).y, { signal });
}

/** Types into an element; keys without a character are pressed. */
export async function typed(
  session: SessionHandle,
  screen: Screen,
  placed: Placed,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  await focused(session, screen, placed, signal);
  await typedKeys(session, text, signal);
}

async function focused(session: SessionHandle, screen: Screen, placed: Placed, signal: AbortSignal): Promise<void> {
  const { node } = placed;
  if (!node.editable) throw new WebDriverFailure('element not interactable', `${nameOf(node)} takes no text.`);
  if (!node.focused) await tapped(session, screen, placed, signal);
}

const PRINTABLE = /^[\x20-\x7E]$/;

/** Types what the focus takes: characters as they are, runs of them at once; modifiers hold until they are given again, or to the end. */
export async function typedKeys(session: SessionHandle, text: string, signal: AbortSignal): Promise<void> {
  const held = new Set<Modifier>();
  let run = '';
  const flush = async () => {
    const piece = run;
    run = '';
    if (piece === '') return;
    if ([...piece].every((character) => PRINTABLE.test(character))) await session.typeText(piece, { signal });
    else await session.insertText(piece, { signal });
  };
  for (const character of text) {
    const modifier = modifierOf(character);
    const key = keyOf(character) ?? (held.size > 0 ? keyNamed(character) : undefined);
    if (modifier === undefined && key === undefined && character !== NULL_KEY) {
      if (isUnknownKey(character)) throw noKey(character);
      run += character;
      continue;
    }
    await flush();
    if (modifier !== undefined && !held.delete(modifier)) held.add(modifier);
    else if (character === NULL_KEY) held.clear();
    else if (key !== undefined) await session.pressKey(key, { modifiers: [...held], signal });
  }
  await flush();
}

export const noKey = (character: string): WebDriverFailure =>
  new WebDriverFailure(
    'unsupported operation',
    `A phone has no key U+${character.charCodeAt(0).toString(16).toUpperCase()}.`,
  );

/** The key of a letter or digit, as it is pressed with modifiers. */
export const keyNamed = (character: string): Key | undefined =>
  /^[a-z0-9]$/i.test(character) ? (character.toLowerCase() as Key) : undefined;

/** Empties a field as a person does: all of it is selected and deleted. */
export async function cleared(
  session: SessionHandle,
  screen: Screen,
  placed: Placed,
  signal: AbortSignal,
): Promise<void> {
  await focused(session, screen, placed, signal);
  const { value = '', secure } = placed.node;
  if (value === '' && !secure) return;
  const modifiers: Modifier[] = [screen.platform === 'ios' ? 'meta' : 'control'];
  await session.pressKey('a', { modifiers, signal });
  await session.pressKey('backspace', { signal });
}

const nameOf = ({ name, role }: Placed['node']): string => (name === undefined ? `The ${role}` : JSON.stringify(name));
