/** Why an embedded viewer is not connected. */
export type FrameFailureCode =
  /** Nothing in the iframe answers: the page may not embed this session, or its address does not open it. */
  | 'no_answer'
  /** The viewer answers, and has not connected to its session in time. */
  | 'not_connected'
  /** The session has ended, or its link is no longer valid. */
  | 'disconnected'
  /** This page has disposed of the frame. */
  | 'disposed';

/** The rejection of `SimulatorFrame.ready`. Its message is a sentence for people. */
export class SimulatorFrameError extends Error {
  readonly code: FrameFailureCode;

  constructor(code: FrameFailureCode, message: string) {
    super(message);
    this.name = 'SimulatorFrameError';
    this.code = code;
  }
}
