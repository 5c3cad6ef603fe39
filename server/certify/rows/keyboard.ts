import type { InteractionRequest } from '../../../client/sdk/index.ts';
import { CARD_MODIFIERS, keyHash, textHash } from '../../test-card/readings.ts';
import { NotSeen, type Subject } from '../subject.ts';
import { onCard, type Row } from './row.ts';
import { QUIET } from './touches.ts';

/** Nothing of them is what a keyboard of a phone would replace. */
const textOf = (lines: number) =>
  Array.from({ length: lines }, (_, line) => `Line ${line}: The Quick Brown Fox jumps over 13 lazy dogs; `).join('');
/** Of several scripts, from right to left too, with characters that take more than one unit of UTF-16 or code point. */
const ANY_TEXT = 'Grüße, 你好, שלום, नमस्ते, ¡señor!, 👩‍👧 😀';
/** Long enough to lose some of each; a driver may type a short text key by key, and hand over a long one as a whole. */
const TEXTS = [textOf(2), textOf(5)];
const CHARACTERS = TEXTS.join('').length;

type PressKey = Extract<InteractionRequest, { readonly action: 'pressKey' }>;
type Press = Pick<PressKey, 'key' | 'modifiers'>;

/** Gives the card's field the focus where a browser wants a touch for that. */
async function focus(subject: Subject): Promise<void> {
  await subject.tap(subject.pixel(...QUIET));
  await subject.look();
}

export const KEYBOARD_ROWS: readonly Row[] = [
  {
    id: 'text',
    title: `Typed texts arrive whole, ${CHARACTERS} characters of them`,
    needs: onCard(({ actions }) => actions.includes('typeText')),
    async prove(subject) {
      await focus(subject);
      let typed = '';
      for (const text of TEXTS) {
        typed += text;
        await subject.do({ action: 'typeText', text, timeoutMs: 60_000 });
        await subject.see(`a text of ${typed.length} characters`, ({ readings }) => {
          return readings.textLength === typed.length && readings.textHash === textHash(typed);
        });
      }
      return `the card has ${typed.length} characters, and their hash is ${textHash(typed).toString(16)}`;
    },
  },
  {
    id: 'insert',
    title: 'A text of any language is inserted whole',
    needs: onCard(({ actions }) => actions.includes('insertText')),
    async prove(subject) {
      await focus(subject);
      await subject.do({ action: 'insertText', text: ANY_TEXT });
      await subject.see('a text of several scripts', ({ readings }) => {
        return readings.textLength === ANY_TEXT.length && readings.textHash === textHash(ANY_TEXT);
      });
      return `the card has ${ANY_TEXT}`;
    },
  },
  {
    id: 'clipboard',
    title: 'A text that is written to the clipboard is held, and pasted by keys',
    needs: onCard(({ clipboard, modifiers }) => clipboard && modifiers),
    async prove(subject) {
      await focus(subject);
      const { platform, signal } = subject.ground;
      const { text } = await subject.session.clipboard.write(ANY_TEXT, { signal });
      if (text !== ANY_TEXT) throw new NotSeen(`the device holds another text: ${text}`);
      await subject.do({ action: 'pressKey', key: 'v', modifiers: [platform === 'ios' ? 'meta' : 'control'] });
      await subject.see('the text that was pasted', ({ readings }) => {
        return readings.textLength === ANY_TEXT.length && readings.textHash === textHash(ANY_TEXT);
      });
      return `the device held, and the card has ${ANY_TEXT}`;
    },
  },
  {
    id: 'keys',
    title: 'Keys arrive one by one, with their modifiers',
    needs: onCard(({ actions }) => actions.includes('pressKey')),
    async prove(subject) {
      await focus(subject);
      const plain: readonly Press[] = [{ key: 'a' }, { key: 'arrowLeft' }, { key: 'enter' }];
      const presses = subject.can.modifiers ? [...plain, { key: 'b', modifiers: ['shift'] } satisfies Press] : plain;
      for (const { key, modifiers = [] } of presses) {
        const { keys } = subject.card.readings;
        await subject.do({ action: 'pressKey', key, modifiers });
        const bits = CARD_MODIFIERS.reduce((sum, name, index) => sum | (Number(modifiers.includes(name)) << index), 0);
        await subject.see(`the key ${[...modifiers, key].join(' + ')}`, ({ readings }) => {
          return readings.keys === keys + 1 && readings.lastKey === keyHash(key) && readings.modifiers === bits;
        });
      }
      return `the card tells of ${presses.map(({ key, modifiers = [] }) => [...modifiers, key].join(' + ')).join(', ')}`;
    },
  },
];
