import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How test files run. A file that stands in no list here is part of `npm test`, and shares a process with others of its
 * room. Each file by the reason why it is different.
 */
export type Reasons = Readonly<Record<string, string>>;

/** Nothing else may run beside them, which a busy machine cannot give: `npm run test:all` runs them, in turn. */
export const ALONE: Reasons = {
  'test/integration/fan-out.test.ts': 'compares times',
  'test/integration/newcomers.test.ts': 'compares times',
  'test/integration/slow-viewers.test.ts': 'compares times',
  'test/integration/store-trouble.test.ts': 'compares times',
  'test/rest/refusal-cost.test.ts': 'compares times',
  'test/integration/floods.test.ts': 'compares times',
  'test/integration/ios-idb.test.ts': 'tells one event from the next by milliseconds',
  'test/integration/recording-kill.test.ts': 'judges the last second before a kill',
};

/** They run in `npm run test:all` only. */
export const LONG: Reasons = {};

/** They have a process of their own. */
export const APART: Reasons = {
  'test/client/cli/help.test.ts': 'compares snapshots, which are found by the name of the process',
  'test/client/sdk/bounds.test.ts': 'compares snapshots, which are found by the name of the process',
  'test/integration/android-conformance.test.ts': 'chooses the driver of the suite for the whole process',
  'test/integration/android-scrcpy-conformance.test.ts': 'chooses the driver of the suite for the whole process',
};

export const SETS = ['quick', 'rest', 'all'] as const;
export type SetName = (typeof SETS)[number];

/** Every test file of the repository, in order. */
export function testFiles(): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .sort();
}

/** The files of a set: each file is in either `quick` or `rest`. */
export function filesOf(set: SetName, files = testFiles()): string[] {
  const isLate = (file: string) => file in ALONE || file in LONG;
  return files.filter((file) => set === 'all' || isLate(file) === (set === 'rest'));
}
