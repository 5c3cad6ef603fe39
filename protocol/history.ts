import { type Static, Type } from '@sinclair/typebox';
import { OUTCOMES } from './acknowledgement.ts';
import { oneOf } from './compile-check.ts';
import { ErrorBody } from './error-body.ts';
import { text, timestamp, whole } from './fields.ts';
import { LIMITS } from './limits.ts';
import { queryCheck } from './listing.ts';
import { Observed } from './observed.ts';
import { UiFrameSchema } from './ui-frame.ts';
import { UI_ROLES } from './ui-roles.ts';

/**
 * How an entry stands: `pending` while it waits or runs, then its outcome; `unknown` when the service ended before it learned
 * the outcome.
 */
export const HISTORY_STATUSES = ['pending', ...OUTCOMES, 'unknown'] as const;
export type HistoryStatus = (typeof HISTORY_STATUSES)[number];

/** The credential of a request: `link` is a viewer link, `session` the address of the viewer in the session's record. */
export const HISTORY_CREDENTIALS = ['key', 'token', 'dashboard', 'link', 'session'] as const;

const TRANSPORTS = ['socket', 'rest'] as const;

export const HistoryOrigin = Type.Object(
  {
    kind: oneOf(HISTORY_CREDENTIALS, { description: 'The kind of credential' }),
    id: Type.Optional(text('Id of the key, program, sign-in or link', 'key_4kZ1bQx7RmT9vLs2WcHn0e')),
    transport: oneOf(TRANSPORTS, { description: 'How the request came' }),
  },
  { $id: 'HistoryOrigin', additionalProperties: false, description: 'The caller of a request' },
);
export type HistoryOrigin = Static<typeof HistoryOrigin>;

/** The state of one request, without where it stands in the history. */
const STATE = {
  requestId: text("The request's id", 'tap-1'),
  action: text('Operation that was requested', 'tap'),
  status: oneOf(HISTORY_STATUSES, {
    description:
      'The outcome that the caller was told; `pending` until then; `unknown` if the service ended before it knew the outcome',
  }),
  acceptedAt: timestamp('When the service accepted the request'),
  dispatchedAt: Type.Optional(timestamp('When it left for the device; absent if it never did')),
  completedAt: Type.Optional(timestamp('When it ended')),
  durationMs: Type.Optional(whole('Milliseconds from `acceptedAt` to `completedAt`', 12)),
  error: Type.Optional(ErrorBody),
  observed: Type.Optional(Observed),
  inputSeq: Type.Optional(
    whole('Number of its newest input; a picture with this `inputSeq` or a later one shows its effect', 7),
  ),
};

const entryExample = {
  seq: 1,
  requestId: 'tap-1',
  action: 'tap',
  fields: { x: 0.5, y: 0.25 },
  by: { kind: 'key', id: 'key_4kZ1bQx7RmT9vLs2WcHn0e', transport: 'rest' },
  status: 'completed',
  acceptedAt: '2026-05-17T09:41:07.123Z',
  dispatchedAt: '2026-05-17T09:41:07.124Z',
  completedAt: '2026-05-17T09:41:07.135Z',
  durationMs: 12,
  inputSeq: 7,
};

/** What was on the screen before an input, and under its finger, in words by which it can be found again. */
export const Touched = Type.Object(
  {
    app: Type.Optional(text('Name of the foreground', 'Notes')),
    heading: Type.Optional(text('The first heading on the screen', 'All notes')),
    element: Type.Optional(
      Type.Object(
        {
          role: oneOf(UI_ROLES, { description: 'Kind of the element', examples: ['button'] }),
          name: Type.Optional(text('What it is called, or says', 'New note')),
          id: Type.Optional(text("The app's own name of the element", 'notes.new')),
          index: Type.Optional(
            whole(
              'Which of those with the same id, or else the same name, from 0 at the top; absent of the only one',
              1,
            ),
          ),
          frame: UiFrameSchema,
        },
        {
          $id: 'TouchedElement',
          additionalProperties: false,
          description: 'Under the first finger; absent where nothing has a name, and of inputs without a finger',
        },
      ),
    ),
  },
  {
    $id: 'Touched',
    additionalProperties: false,
    description: 'What was on the screen before the input, and under its first finger',
  },
);
export type Touched = Static<typeof Touched>;

/** One request that acted on a session's device. */
export const HistoryEntry = Type.Object(
  {
    seq: whole('Number within the session, from 1, in the order of acceptance', 1),
    ...STATE,
    fields: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "The action's own fields. A text that was typed or copied is told by its length alone, `textCharacters`, unless the " +
        'session was created with `historyTexts: "full"`. A live gesture has its `steps`, each with `atMs` after `acceptedAt`; ' +
        '`cut` says that there were more',
      examples: [{ x: 0.5, y: 0.25 }],
    }),
    by: HistoryOrigin,
    touched: Type.Optional(Touched),
    lostBefore: Type.Optional(
      whole('How many requests before this one are missing, because the storage took nothing at that time', 3),
    ),
  },
  {
    $id: 'HistoryEntry',
    additionalProperties: false,
    description: 'One request that acted on the device of a session',
    examples: [entryExample],
  },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

/** The answer to a question for one request. */
export const InteractionState = Type.Object(
  {
    ...STATE,
    result: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What was done, as in the acknowledgement; told for ten minutes after the end',
        examples: [{ pointCount: 1 }],
      }),
    ),
  },
  { $id: 'InteractionState', additionalProperties: false, description: 'How a request stands' },
);
export type InteractionState = Static<typeof InteractionState>;

export const HistoryPage = Type.Object(
  {
    entries: Type.Array(HistoryEntry, { description: 'In the order of acceptance' }),
    next: Type.Optional(whole('`after` of the next page; absent if there is no further entry now', 50)),
  },
  { $id: 'HistoryPage', additionalProperties: false },
);
export type HistoryPage = Static<typeof HistoryPage>;

const { min, max, default: fallback } = LIMITS.listed;

/** Query of a session's history. */
export const HistoryQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Only entries after the one with this `seq`',
      }),
    ),
    newest: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only the newest entries, as many as this; still in the order of acceptance',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: min,
        maximum: max,
        description: `Maximum number of entries; default: ${fallback}, and as a stream all that there are`,
      }),
    ),
  },
  { $id: 'HistoryQuery', additionalProperties: false },
);
export type HistoryQuery = Static<typeof HistoryQuery>;

// PURE lets a bundler drop the check where it is not used.
export const checkHistoryQuery = /* @__PURE__ */ queryCheck(HistoryQuery);
