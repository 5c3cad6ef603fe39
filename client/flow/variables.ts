import { FlowFault, type Place } from './fault.ts';
import { didYouMean } from './nearest.ts';

export type Variables = Readonly<Record<string, string>>;

/** The text that `copyTextFrom` has copied; only `inputText` takes it. */
export const COPIED_TEXT = 'maestro.copiedText';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The text with the values of its variables, `${NAME}`; `\${` is no variable. */
export function replaced(text: string, variables: Variables, place: Place): string {
  return text.replaceAll(/(\\?)\$\{([^}]*)\}/g, (whole, backslash: string, inner: string) => {
    if (backslash !== '') return whole.slice(1);
    const name = inner.trim();
    if (!NAME.test(name)) throw new FlowFault(place, expressionSentence(whole, name));
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) return value;
    const like = didYouMean(name, Object.keys(variables));
    throw new FlowFault(place, `There is no variable ${name}: give it with "--env ${name}=...", or in "env".${like}`);
  });
}

function expressionSentence(whole: string, name: string): string {
  if (name === COPIED_TEXT) return `${whole} can only be the whole text of "inputText".`;
  return `${whole} is JavaScript, which is not run: only \${NAME} is replaced.`;
}
