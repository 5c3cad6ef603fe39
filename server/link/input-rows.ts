import type { Point } from '@runcloud/protocol';
import type { PointerPhase } from '../device/driver.ts';
import type { FromHost, Port, ToHost } from './messages.ts';

/**
 * Encodes taps, the steps of a finger and their answers as rows of numbers in one list: cloning an object for another thread takes
 * several times as long as the tap itself. A list replaces consecutive messages of the batch; other messages and the order are
 * unchanged. The bench's goals `tap`, 50 × 64 in flight, and `live touch`, 64 in flight, fall without it (bench/README.md).
 */

/** An encoded batch. */
export type Rows<Message> = readonly (Message | readonly number[])[];

type Perform = Extract<ToHost, { kind: 'perform' }>;
type Tap = Perform & { readonly request: { readonly action: 'tap'; readonly x: number; readonly y: number } };
type Step = Extract<ToHost, { kind: 'pointer' }> & { readonly points: readonly [Point] };
type Input = Tap | Step;
type Answer = Extract<FromHost, { kind: 'answer' }>;
type InputAnswer = Answer & { readonly value: { readonly pointCount: number } | true };

/** Columns of an input's row: call, device, inputSeq, what it is, x, y. */
const INPUT_NUMBERS = 6;
/** Columns of an answer's row: call, pointCount. */
const ANSWER_NUMBERS = 2;

/** What an input is: a tap, or a step of one finger. */
const TAP = 0;
const PHASES: readonly PointerPhase[] = ['begin', 'move', 'end', 'cancel'];
/** The point count of the answer to a step. */
const STEP_TAKEN = 0;

/** Replaces runs of the same kind by lists; other messages are unchanged. */
function pack<Message, Row extends Message>(
  batch: readonly Message[],
  isRow: (message: Message) => message is Row,
  write: (row: Row, numbers: number[]) => void,
): Rows<Message> {
  const packed: (Message | number[])[] = [];
  let numbers: number[] | undefined;
  for (const message of batch) {
    if (isRow(message)) {
      if (!numbers) {
        numbers = [];
        packed.push(numbers);
      }
      write(message, numbers);
    } else {
      numbers = undefined;
      packed.push(message);
    }
  }
  return packed;
}

function unpack<Message>(
  packed: Rows<Message>,
  width: number,
  read: (numbers: readonly number[], at: number) => Message,
): readonly Message[] {
  const batch: Message[] = [];
  for (const item of packed) {
    if (!isNumbers(item)) batch.push(item);
    else for (let at = 0; at < item.length; at += width) batch.push(read(item, at));
  }
  return batch;
}

const isNumbers = (item: unknown): item is readonly number[] => Array.isArray(item);

function isInput(message: ToHost): message is Input {
  if (message.kind === 'pointer') return message.points.length === 1;
  return message.kind === 'perform' && message.request.action === 'tap' && !message.wantsSteps;
}

function writeInput(input: Input, numbers: number[]): void {
  const { call, device, inputSeq } = input;
  const isTap = input.kind === 'perform';
  const what = isTap ? TAP : PHASES.indexOf(input.phase) + 1;
  const { x, y } = isTap ? input.request : input.points[0];
  numbers.push(call, device, inputSeq, what, x, y);
}

function readInput(numbers: readonly number[], at: number): ToHost {
  const call = numbers[at] as number;
  const device = numbers[at + 1] as number;
  const inputSeq = numbers[at + 2] as number;
  const what = numbers[at + 3] as number;
  const x = numbers[at + 4] as number;
  const y = numbers[at + 5] as number;
  if (what === TAP)
    return { kind: 'perform', call, device, inputSeq, request: { action: 'tap', x, y }, wantsSteps: false };
  const phase = PHASES[what - 1] as PointerPhase;
  return { kind: 'pointer', call, device, phase, points: [{ x, y }], inputSeq };
}

/** Whether an answer is exactly the result of a tap or of a step. */
function isInputAnswer(message: FromHost): message is InputAnswer {
  if (message.kind !== 'answer') return false;
  const { value } = message;
  if (value === true) return true;
  if (typeof value !== 'object' || value === null || !('pointCount' in value)) return false;
  for (const key in value) if (key !== 'pointCount') return false;
  return typeof value.pointCount === 'number' && value.pointCount !== STEP_TAKEN;
}

function writeAnswer({ call, value }: InputAnswer, numbers: number[]): void {
  numbers.push(call, value === true ? STEP_TAKEN : value.pointCount);
}

function readAnswer(numbers: readonly number[], at: number): FromHost {
  const call = numbers[at] as number;
  const pointCount = numbers[at + 1] as number;
  return { kind: 'answer', call, value: pointCount === STEP_TAKEN ? true : { pointCount } };
}

/** Wraps the gateway's end: inputs are sent as rows, answers are received as rows. */
export function gatewayRows(
  port: Port<ToHost | readonly number[], FromHost | readonly number[]>,
): Port<ToHost, FromHost> {
  return {
    send: (batch, transfer) => port.send(pack(batch, isInput, writeInput), transfer),
    onReceive: (listener) => port.onReceive((packed) => listener(unpack(packed, ANSWER_NUMBERS, readAnswer))),
    onClosed: (listener) => port.onClosed(listener),
    close: () => port.close(),
  };
}

/** Wraps the host's end. */
export function hostRows(port: Port<FromHost | readonly number[], ToHost | readonly number[]>): Port<FromHost, ToHost> {
  return {
    send: (batch, transfer) => port.send(pack(batch, isInputAnswer, writeAnswer), transfer),
    onReceive: (listener) => port.onReceive((packed) => listener(unpack(packed, INPUT_NUMBERS, readInput))),
    onClosed: (listener) => port.onClosed(listener),
    close: () => port.close(),
  };
}
