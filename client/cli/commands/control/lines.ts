import type { ControlParticipant, ControlState } from '../../../sdk/types.ts';
import type { View } from '../../cli.ts';
import { ageOf } from '../../terminal/age.ts';
import { dim, type Line } from '../../terminal/line.ts';

const FREE = 'Nobody has control: everybody may send input';

/** One line for each participant, for a program. */
export const linesOf = ({ holder, waiting }: ControlState): string[] => [
  ...(holder ? [`${holder.id}  control  ${holder.label}`] : []),
  ...waiting.map(({ id, label }) => `${id}  waiting  ${label}`),
];

/** Who has control and who waits, for a person. */
export function controlLines({ holder, waiting }: ControlState, { nowMs }: View, own?: string): Line[] {
  const named = ({ id, label }: ControlParticipant) => (id === own ? `You (${label})` : label);
  const has = holder ? `${named(holder)} ${holder.id === own ? 'have' : 'has'} control, since ` : FREE;
  return [
    holder ? [has, ageOf(holder.since, nowMs)] : [has],
    ...waiting.map((one): Line => [`${named(one)} asked for it `, ageOf(one.since, nowMs), '  ', dim(one.id)]),
  ];
}
