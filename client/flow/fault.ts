/** Where something stands in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export const placeInWords = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** Something in a flow that cannot be read, or that cannot be done here. It is found before the first input. */
export class FlowFault extends Error {
  override readonly name = 'FlowFault';
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}

/** All faults of the flows that were to be read. */
export class FlowFaults extends Error {
  override readonly name = 'FlowFaults';
  readonly faults: readonly FlowFault[];

  constructor(faults: readonly FlowFault[]) {
    super(faults.map(({ place, message }) => `${placeInWords(place)}: ${message}`).join('\n'));
    this.faults = faults;
  }
}

/** A step that did not do what it says: its flow has failed. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
}
