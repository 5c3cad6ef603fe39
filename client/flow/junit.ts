import { placeInWords } from './fault.ts';
import type { FlowResult, StepResult } from './run-flow.ts';

/** What flows did, in the form that build servers read. */
export function junitOf(results: readonly FlowResult[], platform: string): string {
  const failures = results.filter(({ status }) => status === 'failed').length;
  const totals = `tests="${results.length}" failures="${failures}" errors="0" time="${seconds(sum(results))}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="runcloud flow" ${totals}>`,
    `  <testsuite name=${quoted(platform)} ${totals}>`,
    ...results.flatMap(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ flow, failure, durationMs, steps }: FlowResult): readonly string[] {
  const { name, file, properties } = flow;
  const own = Object.entries(properties).map(
    ([key, value]) => `        <property name=${quoted(key)} value=${quoted(value)}/>`,
  );
  const attachments = failure?.evidence.files.map((path) => `[[ATTACHMENT|${path}]]`) ?? [];
  return [
    `    <testcase name=${quoted(name)} classname=${quoted(file)} file=${quoted(file)} time="${seconds(durationMs)}">`,
    ...(own.length > 0 ? ['      <properties>', ...own, '      </properties>'] : []),
    ...(failure
      ? [
          `      <failure type=${quoted(failure.step.command)} message=${quoted(failure.message)}>${escaped(
            [`${placeInWords(failure.step.place)}: ${failure.message}`, failure.evidence.outline ?? '']
              .join('\n\n')
              .trimEnd(),
          )}</failure>`,
        ]
      : []),
    `      <system-out>${escaped([...steps.map(lineOf), ...attachments].join('\n'))}</system-out>`,
    '    </testcase>',
  ];
}

const lineOf = ({ step, depth, status, durationMs }: StepResult): string =>
  `${'  '.repeat(depth)}${status} ${stepInWords(step)} in ${durationMs} ms`;

/** `tapOn "Save"` */
export const stepInWords = ({ command, words, label }: StepResult['step']): string =>
  label ?? `${command} ${words}`.trim();

const sum = (results: readonly FlowResult[]): number =>
  results.reduce((total, { durationMs }) => total + durationMs, 0);
const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no way to say most control characters, nor halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const UNSAYABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

const escaped = (text: string): string =>
  text.replaceAll(UNSAYABLE, '\ufffd').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

const quoted = (text: string): string => `"${escaped(text).replaceAll(/[\t\n\r]/g, ' ')}"`;
