import { FAN_OUT_PATHS } from '../../controls/fan-out-pattern.ts';

/** The sender of the pictures, and whether its viewers acknowledge them. */
export const SUBJECTS = {
  RunCloud: { sockets: 'uws', acknowledges: true },
  'RunCloud over ws': { sockets: 'ws', acknowledges: true },
  'uWS publish': { path: FAN_OUT_PATHS.publish, acknowledges: false },
  'uWS send': { path: FAN_OUT_PATHS.send, acknowledges: false },
  'uWS send, acked': { path: FAN_OUT_PATHS.send, acknowledges: true },
  'uWS send, heard': { path: FAN_OUT_PATHS.heard, acknowledges: true },
} as const;
export type SubjectName = keyof typeof SUBJECTS;
export type ServiceName = Extract<SubjectName, `RunCloud${string}`>;
export const isService = (subject: SubjectName): subject is ServiceName => 'sockets' in SUBJECTS[subject];

export const VIEWERS = [1, 50, 200, 1_000] as const;

/** One line of the table: a number of viewers of one sender. */
export interface FanOutRow {
  readonly name: string;
  readonly subject: SubjectName;
  readonly viewers: number;
}

export const rowName = (subject: SubjectName, viewers: number): string => `${subject}, ${viewers}`;

/** For each number of viewers, all senders beside each other. */
export const FAN_OUT_ROWS: readonly FanOutRow[] = VIEWERS.flatMap((viewers) =>
  (Object.keys(SUBJECTS) as SubjectName[]).map((subject) => ({ name: rowName(subject, viewers), subject, viewers })),
);
