import type { Certificate, CertifiedRow, Latencies, Spread } from './certificate.ts';

const MARKS = { passed: '✓ passed     ', failed: '✗ FAILED     ', 'not offered': '– not offered' } as const;

/** A line of the table that is printed while rows are tried; a failure has a second one. */
export function rowLine({ outcome, title, durationMs, detail }: CertifiedRow): string {
  const seconds = outcome === 'not offered' ? '' : ` (${(durationMs / 1_000).toFixed(1)} s)`;
  const evidence = outcome === 'failed' ? `${' '.repeat(15)}${plain(detail)}\n` : '';
  return `${MARKS[outcome]}  ${title}${seconds}\n${evidence}`;
}

export function closingLines({ rows, latencies, passed, interrupted, device }: Certificate): string {
  const count = (outcome: CertifiedRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const lines = [
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('not offered')} not offered${interrupted ? '; interrupted' : ''}`,
    ...latencyLines(latencies),
    device && passed ? `${plain(device.model)} (${device.driver}) is certified.` : 'The device is not certified.',
  ];
  return `${lines.join('\n')}\n`;
}

export const LATENCY_NAMES: Readonly<Record<keyof Latencies, string>> = {
  service: 'the service adds, until an input is dispatched',
  device: 'the device takes, for a tap',
  untilSeen: 'until a screenshot shows an effect',
  inputToPicture: 'from a tap to the streamed picture of it',
};

function latencyLines(latencies: Latencies): string[] {
  return Object.entries(LATENCY_NAMES).flatMap(([name, words]) => {
    const spread = latencies[name as keyof Latencies];
    return spread ? [`${spreadWords(spread).padEnd(42)}${words}`] : [];
  });
}

export const spreadWords = ({ medianMs, maxMs, count }: Spread): string =>
  `${medianMs} ms (at most ${maxMs} ms, ${count} times)`;

/** A device's name, or what a service says, must not control the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
