import { type Static, Type } from '@sinclair/typebox';
import { compileCheck } from './compile-check.ts';
import type { Checked } from './fault.ts';

/** The parameters of a WebDriver command; which it takes is that document's. */
export const WebDriverBody = Type.Object(
  {},
  { $id: 'WebDriverBody', description: 'Parameters of a WebDriver command' },
);
export type WebDriverBody = Static<typeof WebDriverBody> & Readonly<Record<string, unknown>>;

const check = compileCheck(WebDriverBody);

export function checkWebDriverBody(value: unknown): Checked<WebDriverBody> {
  const refused = check(value);
  return refused ? { ok: false, fault: refused } : { ok: true, value: value as WebDriverBody };
}
