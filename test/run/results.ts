/** The result of a file, read from tap's output of a process. */
export interface FileResult {
  readonly file: string;
  readonly ok: boolean;
  readonly tookMs: number;
}

/** The files that a process told an end of. */
export function resultsOf(output: string, files: readonly string[]): FileResult[] {
  const [only] = files;
  if (files.length === 1 && only !== undefined) {
    const tookMs = /^# time=([\d.]+)ms$/m.exec(output)?.[1];
    return tookMs === undefined ? [] : [{ file: only, ok: !/^not ok /m.test(output), tookMs: Number(tookMs) }];
  }
  const found = output.matchAll(/^(not )?ok \d+ - (\S+\.test\.ts)(?: # time=([\d.]+)ms)?/gm);
  return [...found]
    .map(([, not, file = '', tookMs = '0']) => ({ file, ok: not === undefined, tookMs: Number(tookMs) }))
    .filter(({ file }) => files.includes(file));
}
