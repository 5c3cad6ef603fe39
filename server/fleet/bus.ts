/**
 * What carries messages between edges and hosts: at most once, in order for each publisher and subject. It carries and never
 * remembers: nothing that is published while it is not connected is delivered later.
 */
export interface Bus {
  readonly connected: boolean;
  /** Bytes of a message that it carries in one piece. */
  readonly payloadBytesMax: number;
  /**
   * Does nothing while it is not connected.
   * @param answerTo the subject on which the receiver can answer
   */
  publish(subject: string, payload: Uint8Array, answerTo?: string): void;
  /**
   * Returns a function that ends it.
   * @param subject a `*` stands for one token
   * @param receive the bytes of a message are valid only until it returns
   */
  subscribe(subject: string, receive: (message: BusMessage) => void): () => void;
  /** Called when the connection is lost, and when it is back. */
  onConnected(listener: (connected: boolean) => void): void;
  close(): Promise<void>;
}

export interface BusMessage {
  readonly subject: string;
  readonly payload: Uint8Array;
  /** Empty if the sender names none. */
  readonly answerTo: string;
}
