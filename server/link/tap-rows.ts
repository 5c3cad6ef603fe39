import type { FromHost, Port, ToHost } from './messages.ts';

/**
 * Encodes taps and their answers as rows of numbers in one list: cloning an object for another thread takes several times as long
 * as the tap itself. A list replaces consecutive messages of the batch; other messages and the order are unchanged. The bench's
 * goal `tap`, 50 × 64 in flight, falls without it: 28 % fewer taps a second (bench/README.md).
 */

/** An encoded batch. */
export type Rows<Message> = readonly (Message | readonly number[])[];

type Perform = Extract<ToHost, { kind: 'perform' }>;
type Tap = Perform & { readonly request: { readonly action: 'tap'; readonly x: number; readonly y: number } };
type Answer = Extract<FromHost, { kind: 'answer' }>;
type TapAnswer = Answer & { readonly value: { readonly pointCount: number } };

/** Columns of a tap's row: call, device, inputSeq, x, y. */
const TAP_NUMBERS = 5;
/** Columns of an answer's row: call, pointCount. */
const ANSWER_NUMBERS = 2;

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

const isTap = (message: ToHost): message is Tap =>
  message.kind === 'perform' && message.request.action === 'tap' && !message.wantsSteps;

function writeTap({ call, device, inputSeq, request }: Tap, numbers: number[]): void {
  numbers.push(call, device, inputSeq, request.x, request.y);
}

const readTap = (numbers: readonly number[], at: number): ToHost => ({
  kind: 'perform',
  call: numbers[at] as number,
  device: numbers[at + 1] as number,
  inputSeq: numbers[at + 2] as number,
  request: { action: 'tap', x: numbers[at + 3] as number, y: numbers[at + 4] as number },
  wantsSteps: false,
});

/** Whether an answer is exactly the result of a tap. */
function isTapAnswer(message: FromHost): message is TapAnswer {
  if (message.kind !== 'answer') return false;
  const { value } = message;
  if (typeof value !== 'object' || value === null || !('pointCount' in value)) return false;
  for (const key in value) if (key !== 'pointCount') return false;
  return typeof value.pointCount === 'number';
}

function writeAnswer({ call, value }: TapAnswer, numbers: number[]): void {
  numbers.push(call, value.pointCount);
}

const readAnswer = (numbers: readonly number[], at: number): FromHost => ({
  kind: 'answer',
  call: numbers[at] as number,
  value: { pointCount: numbers[at + 1] as number },
});

/** Wraps the gateway's end: taps are sent as rows, answers are received as rows. */
export function gatewayRows(
  port: Port<ToHost | readonly number[], FromHost | readonly number[]>,
): Port<ToHost, FromHost> {
  return {
    send: (batch, transfer) => port.send(pack(batch, isTap, writeTap), transfer),
    onReceive: (listener) => port.onReceive((packed) => listener(unpack(packed, ANSWER_NUMBERS, readAnswer))),
    onClosed: (listener) => port.onClosed(listener),
    close: () => port.close(),
  };
}

/** Wraps the host's end. */
export function hostRows(port: Port<FromHost | readonly number[], ToHost | readonly number[]>): Port<FromHost, ToHost> {
  return {
    send: (batch, transfer) => port.send(pack(batch, isTapAnswer, writeAnswer), transfer),
    onReceive: (listener) => port.onReceive((packed) => listener(unpack(packed, TAP_NUMBERS, readTap))),
    onClosed: (listener) => port.onClosed(listener),
    close: () => port.close(),
  };
}
