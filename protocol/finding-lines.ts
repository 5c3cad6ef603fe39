import type { Finding } from './doctor.ts';

/** The findings for people. */
export function findingLines(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ what }) => what.length));
  const lines = findings.map(({ what, state, detail, fix }) => {
    const line = `${what.padEnd(width)}  ${state.padEnd(8)}  ${detail}\n`;
    return fix === undefined ? line : `${line}${' '.repeat(width + 12)}fix: ${fix}\n`;
  });
  return lines.join('');
}
