import { momentInWords } from '../flow/evidence.ts';
import { placeInWords } from '../flow/fault.ts';
import { stepInWords } from '../flow/junit.ts';
import type { FlowResult, StepResult } from '../flow/run-flow.ts';
import type { Step } from '../flow/step.ts';
import { bold, CROSS, dim, type Line, red, TICK, yellow } from './terminal/line.ts';

const indent = (depth: number): string => '  '.repeat(depth + 1);
const MARKS = { passed: TICK, failed: CROSS, warned: yellow('!') } as const;

/** A step with others in it, before these. */
export const groupLine = (step: Step, depth: number, isForPerson: boolean): Line =>
  isForPerson ? [indent(depth), dim('▸ '), stepInWords(step)] : `${placeInWords(step.place)} ${stepInWords(step)}`;

/** What became of a step. */
export function stepLines(
  { step, depth, status, durationMs, message }: StepResult,
  isForPerson: boolean,
): readonly Line[] {
  const words = stepInWords(step);
  const more = message === undefined || status === 'failed' ? '' : `: ${message}`;
  if (!isForPerson) return [`${placeInWords(step.place)} ${words} ${status} in ${durationMs} ms${more}`];
  return [
    [indent(depth), MARKS[status], ` ${words}`, dim(`  ${durationMs} ms`), ...(more === '' ? [] : [yellow(more)])],
  ];
}

/** Why a flow failed, and what is there to find out more. */
export function failureLines({ failure }: FlowResult): readonly Line[] {
  if (!failure) return [];
  const { step, message, evidence } = failure;
  const { recording, files } = evidence;
  return [
    [indent(1), red(`${placeInWords(step.place)}: ${message}`)],
    ...files.map((file): Line => [indent(1), dim(file)]),
    ...(recording ? [[indent(1), dim(`recording ${recording.id} at ${momentInWords(recording.atMs)}`)]] : []),
  ];
}

export const flowLine = ({ flow, status, durationMs }: FlowResult, isForPerson: boolean): Line =>
  isForPerson
    ? [MARKS[status], ' ', bold(flow.name), dim(`  ${flow.file}, ${(durationMs / 1_000).toFixed(1)} s`)]
    : `${flow.file} ${JSON.stringify(flow.name)} ${status} in ${durationMs} ms`;

/** For programs. */
export function stepJson(flow: FlowResult['flow'], { step, depth, status, durationMs, message }: StepResult): object {
  const { command, place } = step;
  return {
    flow: flow.file,
    command,
    words: step.words,
    ...place,
    depth,
    status,
    durationMs,
    ...(message ? { message } : {}),
  };
}

export function flowJson({ flow, status, durationMs, failure }: FlowResult): object {
  const { file, name, tags } = flow;
  if (!failure) return { flow: file, name, tags, status, durationMs };
  const { step, message, evidence } = failure;
  const { files, recording } = evidence;
  return {
    flow: file,
    name,
    tags,
    status,
    durationMs,
    failure: { ...step.place, command: step.command, message, files, ...(recording ? { recording } : {}) },
  };
}
