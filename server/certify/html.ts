import { PLATFORM_NAMES } from '@runcloud/protocol/terms';
import type { Certificate, CertifiedRow, Latencies } from './certificate.ts';
import { LATENCY_NAMES, spreadWords } from './table.ts';

/** The certificate as one page that needs nothing else: it can be mailed, attached and printed. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A device's name and an error's words are untrusted. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const STYLE = `
  :root {
    color-scheme: light dark;
    --ground: #f5f6f8; --card: #fff; --text: #16181d; --muted: #5b6270; --line: #dfe2e8;
    --passed: #12733a; --failed: #b3261e; --absent: #5b6270;
    --passed-ground: #e3f4e9; --failed-ground: #fce8e6; --absent-ground: #eceef2;
    font: 16px/1.5 system-ui, sans-serif;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #101216; --card: #191c22; --text: #eceef2; --muted: #a2a9b8; --line: #2b3039;
      --passed: #6fd595; --failed: #ff9c93; --absent: #a2a9b8;
      --passed-ground: #16301f; --failed-ground: #3a1b19; --absent-ground: #252932;
    }
  }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 32px 16px 64px; background: var(--ground); color: var(--text); }
  main { max-width: 880px; margin: 0 auto; }
  h1 { margin: 0 0 4px; font-size: 1.75rem; line-height: 1.25; overflow-wrap: anywhere; }
  h2 { margin: 40px 0 12px; font-size: 1.125rem; }
  p { margin: 0; }
  .muted { color: var(--muted); }
  .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  .verdict { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin: 20px 0 0; padding: 16px 20px; font-weight: 600; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 24px; margin: 0; padding: 16px 20px; }
  dt { color: var(--muted); }
  dd { margin: 0; overflow-wrap: anywhere; }
  .badge { display: inline-block; padding: 2px 10px; border-radius: 99px; font-size: .8125rem; font-weight: 600; white-space: nowrap; }
  .passed { color: var(--passed); background: var(--passed-ground); }
  .failed { color: var(--failed); background: var(--failed-ground); }
  .absent { color: var(--absent); background: var(--absent-ground); }
  ol { list-style: none; margin: 0; padding: 0; }
  li { display: grid; grid-template-columns: 112px 1fr auto; gap: 4px 16px; align-items: start; padding: 16px 20px; border-top: 1px solid var(--line); }
  li:first-child { border-top: 0; }
  li h3 { margin: 0; font-size: 1rem; font-weight: 600; }
  li p { overflow-wrap: anywhere; font-size: .9375rem; }
  summary { cursor: zoom-in; list-style: none; text-align: right; }
  summary::-webkit-details-marker { display: none; }
  summary img { display: inline-block; max-width: 72px; max-height: 96px; border: 1px solid var(--line); border-radius: 6px; vertical-align: top; }
  details[open] summary { cursor: zoom-out; }
  details[open] summary img { max-width: min(320px, 40vw); max-height: none; }
  summary:focus-visible { outline: 2px solid var(--passed); outline-offset: 2px; border-radius: 6px; }
  @media (max-width: 560px) {
    body { padding-top: 20px; }
    dl { grid-template-columns: 1fr; gap: 0; }
    dd { margin-bottom: 10px; }
    dd:last-child { margin-bottom: 0; }
    li { grid-template-columns: 1fr; padding: 16px; }
    summary { text-align: left; }
    details[open] summary img { max-width: 100%; }
  }
  @media print { body { padding: 0; background: none; } li { break-inside: avoid; } }
`;

const CLASSES = { passed: 'passed', failed: 'failed', 'not offered': 'absent' } as const;

const badge = (outcome: CertifiedRow['outcome']): string => `<span class="badge ${CLASSES[outcome]}">${outcome}</span>`;

export function certificatePage(certificate: Certificate): string {
  const { entry, device, passed, interrupted, rows, versions, startedAt, durationMs, latencies } = certificate;
  const name = device ? device.model : entry;
  const count = (outcome: CertifiedRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const verdict = passed ? 'Certified' : interrupted ? 'Interrupted, not certified' : 'Not certified';
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('not offered')} not offered`;
  const facts: readonly (readonly [string, string])[] = [
    ...(device
      ? ([
          ['Device', `${device.model}, ${PLATFORM_NAMES[device.platform]} ${device.osVersion}`],
          ['Display', `${device.width} × ${device.height} pixels, scale ${device.scale}`],
          ['Driver', device.driver],
        ] as const)
      : []),
    ['Entry', entry],
    ['Service', `RunCloud ${versions.service}`],
    ['Node.js', versions.node],
    ['System', versions.os],
    ['Tried', `${startedAt}, in ${Math.round(durationMs / 1_000)} s`],
  ];
  const times = Object.entries(LATENCY_NAMES).flatMap(([key, words]) => {
    const spread = latencies[key as keyof Latencies];
    return spread ? [[sentence(words), spreadWords(spread)] as const] : [];
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Certificate of ${escaped(name)}</title>
<style>${STYLE}</style>
<main>
<h1>${escaped(name)}</h1>
<p class="muted">Tried through RunCloud, and judged by the device's own pictures</p>
<p class="card verdict"><span class="badge ${passed ? 'passed' : 'failed'}">${verdict}</span> ${counts}</p>
<h2>What was tried</h2>
<dl class="card">${definitions(facts)}</dl>
<h2>What was seen</h2>
<ol class="card">
${rows.map(rowItem).join('\n')}
</ol>
${times.length === 0 ? '' : `<h2>How long it took</h2>\n<dl class="card">${definitions(times)}</dl>`}
</main>
</html>
`;
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const definitions = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([term, words]) => `<dt>${escaped(term)}</dt><dd>${escaped(words)}</dd>`).join('');

function rowItem({ outcome, title, detail, durationMs, picture }: CertifiedRow): string {
  const alt = `The display when this row ended`;
  const image = picture ? `<img alt="${alt}" src="data:image/jpeg;base64,${picture}">` : '';
  const seconds = outcome === 'not offered' ? '' : ` <span class="muted">· ${(durationMs / 1_000).toFixed(1)} s</span>`;
  return [
    `<li><div>${badge(outcome)}</div>`,
    `<div><h3>${escaped(title)}</h3><p class="muted">${escaped(sentence(detail))}${seconds}</p></div>`,
    `${image ? `<details><summary>${image}</summary></details>` : '<div></div>'}</li>`,
  ].join('');
}
