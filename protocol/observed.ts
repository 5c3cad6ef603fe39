import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { whole } from './fields.ts';
import { OBSERVE_LIMITS } from './observe-limits.ts';
import { UiFrameSchema } from './ui-frame.ts';

/** Why it is not known whether an input changed the screen; protocol/README.md, section 4.6, has the rule. */
export const UNKNOWN_REASONS = [
  'moves_by_itself',
  'next_input',
  'not_seen',
  'cancelled',
  'session_ended',
  'timed_out',
] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** What was seen of the effect of an input. */
export const Observed = Type.Object(
  {
    changed: Type.Optional(
      Type.Boolean({
        description: 'Whether the screen changed because of it; absent where that is not known, as `unknown` then says',
        examples: [true],
      }),
    ),
    unknown: Type.Optional(
      oneOf(UNKNOWN_REASONS, { description: 'Why it is not known whether the screen changed; absent where it is' }),
    ),
    area: Type.Optional(UiFrameSchema),
    firstPictureMs: Type.Optional(whole('Milliseconds from the dispatch to the first picture that shows a change', 35)),
    settledMs: Type.Optional(
      whole(
        'Milliseconds from the dispatch to the last change, after which the screen stood still; absent where it went on moving',
        310,
      ),
    ),
    tree: Type.Optional(
      Type.String({
        description:
          'What is otherwise in the outline of the screen: its first line, then `- ` lines that are gone and `+ ` lines that are ' +
          `new, or the whole outline where that is shorter; ${OBSERVE_LIMITS.observedTreeBytes} bytes at most`,
        examples: [
          'frame 43 · Settings · portrait · 12 of 40 nodes\n- switch "Dark mode" off\n+ switch "Dark mode" on @3',
        ],
      }),
    ),
  },
  {
    $id: 'Observed',
    additionalProperties: false,
    description: 'What was seen of the effect of an input. Exactly one of `changed` and `unknown` is there',
    examples: [{ changed: true, area: { x: 0, y: 0.2, width: 1, height: 0.5 }, firstPictureMs: 35, settledMs: 310 }],
  },
);
export type Observed = Static<typeof Observed>;
