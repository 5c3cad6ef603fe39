import { type Static, Type } from '@sinclair/typebox';
import { compileCheck, oneOf } from './compile-check.ts';
import { type Checked, fault } from './fault.ts';
import { id, text, timestamp, whole } from './fields.ts';

/** Who has control of a session, and how one asks for it. */

const PARTICIPANT = {
  id: id('prt', 'Id of the participant in this session'),
  label: text('A name for people: of the key, the program or the account, or what kind of link it is', 'ci'),
  owner: Type.Boolean({ description: 'Whether it acts for the account that owns the session' }),
};

const Waiting = Type.Object(
  { ...PARTICIPANT, since: timestamp('When it asked for control') },
  { $id: 'ControlRequest', description: 'A participant who waits for control' },
);

/** Who has control, and who waits for it. */
export const ControlState = Type.Object(
  {
    holder: Type.Optional(
      Type.Object(
        {
          ...PARTICIPANT,
          since: timestamp('When it got control'),
          expiresInMs: whole('Control ends after this time, unless the participant sends input', 30_000),
        },
        { $id: 'ControlHolder', description: 'Who has control; absent: everybody may send input' },
      ),
    ),
    waiting: Type.Array(Waiting, { description: 'Who asked for control, the first first' }),
  },
  { $id: 'ControlState', description: 'Who has control of the session' },
);
export type ControlState = Static<typeof ControlState>;

/** What a participant is told of itself. */
export const OwnParticipant = Type.Object(
  { id: PARTICIPANT.id, owner: PARTICIPANT.owner },
  { $id: 'Participant', description: 'Who you are in this session' },
);

/** The answer to everything that is asked of control. */
export const ControlAnswer = Type.Object(
  { participant: OwnParticipant, control: ControlState },
  { $id: 'ControlAnswer', additionalProperties: false },
);
export type ControlAnswer = Static<typeof ControlAnswer>;

/** A participant that a message names. */
export const ParticipantId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Id of the participant who waits',
  examples: ['prt_4kZ1bQx7RmT9vLs2WcHn0e'],
});

const ABOUT_OTHERS = ['grant', 'deny'] as const;
export const CONTROL_STEPS = ['request', 'take', ...ABOUT_OTHERS] as const;

/** The body of `POST .../control`. */
export const AskControl = Type.Object(
  {
    step: oneOf(CONTROL_STEPS, {
      description: '`request` control; `take` it from whoever has it; `grant` it to one who waits, or `deny` it',
    }),
    participant: Type.Optional(ParticipantId),
  },
  { $id: 'AskControl', additionalProperties: false },
);

/** What is asked of control; `release` gives it up, or withdraws a request. */
export type ControlAsk =
  | { readonly step: 'request' | 'take' | 'release' }
  | { readonly step: (typeof ABOUT_OTHERS)[number]; readonly participant: string };

const check = compileCheck(AskControl);

export function checkAskControl(value: unknown): Checked<ControlAsk> {
  const refused = check(value);
  if (refused) return { ok: false, fault: refused };
  const { step, participant } = value as Static<typeof AskControl>;
  if (step === 'request' || step === 'take') {
    if (participant !== undefined) return { ok: false, fault: fault('participant', `is not for "${step}"`) };
    return { ok: true, value: { step } };
  }
  if (participant === undefined) return { ok: false, fault: fault('participant', `is required for "${step}"`) };
  return { ok: true, value: { step, participant } };
}
