import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parse } from 'yaml';

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: unknown;
  readonly strategy?: { readonly 'fail-fast'?: boolean; readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';

/** The text of each workflow by its path. */
export const workflowTexts = (): ReadonlyMap<string, string> =>
  new Map(readdirSync(FOLDER).map((name) => [join(FOLDER, name), readFileSync(join(FOLDER, name), 'utf8')]));

export const readWorkflow = (text: string): Workflow => parse(text) as Workflow;

/** The errors that GitHub's own parser finds in a workflow, by its published schema. */
export async function faultsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  // Some is found only when the workflow is made of what was read.
  const converted = value === undefined ? [] : ((await convertWorkflowTemplate(context, value)).errors ?? []);
  const all = [...context.errors.getErrors().map(({ message }) => message), ...converted.map(({ Message }) => Message)];
  return [...new Set(all)];
}
