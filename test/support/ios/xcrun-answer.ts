/** What a program says when it has ended, and what it ends with. */
export interface XcrunAnswer {
  readonly stdout?: string | Buffer;
  /** Zero bytes that the program prints after `stdout`. */
  readonly zeroBytes?: number;
  readonly stderr?: string;
  readonly exitCode?: number;
  /** It is said while the command runs, which ends when this settles. */
  readonly running?: (say: (out: string) => void, gone: AbortSignal) => Promise<void>;
}

export const failed = (domain: string, code: number, line: string, exitCode = code % 256): XcrunAnswer => ({
  exitCode,
  stderr:
    `An error was encountered processing the command (domain=${domain}, code=${code}):\n${line}\n` +
    `Underlying error (domain=${domain}, code=${code}):\n\t${line}\n`,
});

export const wrongState = (what: string, state: string) =>
  failed('com.apple.CoreSimulator.SimError', 405, `Unable to ${what} device in current state: ${state}`);
