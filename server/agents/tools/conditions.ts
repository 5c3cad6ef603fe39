import type { Target, UiAnswer, UiCondition, UiState } from '../../../client/sdk/types.ts';
import { ToolFailure } from '../failure.ts';
import { READS, said, tool } from '../tool.ts';

interface Selector {
  readonly text?: string;
  readonly id?: string;
  readonly role?: string;
}

interface Asked extends Selector {
  readonly is?: UiState;
  readonly value?: string;
  readonly count?: number;
  readonly not?: boolean;
}

const TEXT = { type: 'string' } as const;
const CONDITION = {
  text: TEXT,
  id: TEXT,
  role: TEXT,
  is: { enum: ['visible', 'enabled', 'selected', 'checked', 'focused'] },
  value: TEXT,
  count: { type: 'integer', minimum: 0, maximum: 5000 },
  not: { type: 'boolean' },
} as const;

export const wait = tool<Asked & { readonly idle?: boolean; readonly ms?: number }>({
  name: 'wait',
  description:
    'Wait until an element (text, id or role) is visible or as said (not: until it is not), or the screen is idle.',
  properties: {
    ...CONDITION,
    idle: { type: 'boolean' },
    ms: { type: 'integer', minimum: 100, maximum: 60_000 },
  },
  annotations: READS,
  scope: 'device',
  async run({ given: { idle, ms, ...asked }, session, signal }) {
    const phone = await session();
    if (idle) return said((await phone.waitFor({ idle: true }, { signal })).idle);
    return said(lineOf(await phone.waitFor(conditionOf(asked), { timeoutMs: ms, signal })));
  },
});

export const check = tool<Asked>({
  name: 'check',
  description: 'Tell whether an element is visible, or as said, now.',
  properties: CONDITION,
  annotations: READS,
  scope: 'device',
  async run({ given, session, signal }) {
    return said(lineOf(await (await session()).check(conditionOf(given), { signal })));
  },
});

function conditionOf({ text, id, role, is, value, count, not }: Asked): UiCondition {
  if ((text ?? id ?? role) === undefined)
    throw new ToolFailure('invalid_request', 'One of text, id and role is required.');
  const target = given({ text, id, role }) as unknown as Target;
  return { target, ...given({ is, value, count, not }) };
}

const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function lineOf({ holds, frame, element, found }: UiAnswer): string {
  const { role, name, ref } = element ?? {};
  const words = [role, name === undefined ? undefined : JSON.stringify(name), ref].filter((word) => word !== undefined);
  const rest = holds ? words.join(' ') : found;
  return [`${holds ? 'yes' : 'no'} · frame ${frame}`, rest]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ');
}
