import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { StepFailure } from '../fault.ts';
import { readSelector, type Selector } from '../selector.ts';
import type { Commands, ReadCommand, Run, Scope, Step } from '../step.ts';
import type { Value } from '../value.ts';
import type { Variables } from '../variables.ts';

const COMMON = ['label', 'optional'] as const;
const TIMES_MAX = 1_000;
const RETRIES = { min: 0, max: 3, default: 1 } as const;
const FALSE: ReadonlySet<string> = new Set(['', 'false', '0', 'null', 'undefined']);

/** When steps are performed. */
interface Condition {
  readonly visible: Selector | undefined;
  readonly notVisible: Selector | undefined;
  /** What is known before the flow begins. */
  readonly isPossible: boolean;
  readonly words: string;
}

function readCondition(value: Value, { platform }: Scope): Condition {
  const fields = value.record('a condition', ['visible', 'notVisible', 'platform', 'true', 'label']);
  const visible = fields.visible && readSelector(fields.visible);
  const notVisible = fields.notVisible && readSelector(fields.notVisible);
  const onPlatform = fields.platform?.oneOf(['Android', 'iOS', 'Web']);
  const given = fields.true?.text('true or false');
  const words = [
    ...(visible ? [visible.words] : []),
    ...(notVisible ? [`not ${notVisible.words}`] : []),
    ...(onPlatform ? [onPlatform] : []),
    ...(fields.true ? [fields.true.written] : []),
  ];
  if (words.length === 0) throw value.fault('A condition has "visible", "notVisible", "platform" or "true".');
  const isHere = onPlatform === undefined || onPlatform === PLATFORM_NAMES[platform];
  return {
    visible,
    notVisible,
    isPossible: isHere && !(given !== undefined && FALSE.has(given.trim().toLowerCase())),
    words: words.join(', '),
  };
}

async function holds({ visible, notVisible, isPossible }: Condition, { screen }: Run): Promise<boolean> {
  if (!isPossible) return false;
  if (visible && !(await screen.has(visible))) return false;
  return !notVisible || !(await screen.has(notVisible));
}

const variablesOf = (value: Value | undefined): Variables =>
  Object.fromEntries(
    [...(value?.entries('variables by name') ?? [])].map(([name, text]) => [name, text.isAbsent ? '' : text.text()]),
  );

/** The commands of a file, or those that stand here. */
function bodyOf(
  value: Value,
  { file, commands, env }: Partial<Record<'file' | 'commands' | 'env', Value>>,
  scope: Scope,
): readonly Step[] {
  if ((file === undefined) === (commands === undefined)) throw value.fault('Either "file" or "commands" is needed.');
  const variables = variablesOf(env);
  return file ? scope.file(file, variables) : scope.steps(commands as Value, variables);
}

const runFlow: ReadCommand = (value, scope) => {
  if (value.isScalar) {
    const steps = scope.file(value);
    return { words: value.written, perform: (run) => run.perform(steps) };
  }
  const fields = value.record('runFlow', ['file', 'commands', 'env', 'when', ...COMMON]);
  const when = fields.when && readCondition(fields.when, scope);
  const words = [fields.file?.written, when && `when ${when.words}`].filter((word) => word !== undefined).join(' ');
  // What is for another platform only may say what this one cannot do.
  if (when && !when.isPossible) return { words: `${words}: skipped`, perform: async () => undefined };
  const steps = bodyOf(value, fields, scope);
  return {
    words,
    perform: async (run) => {
      if (!when || (await holds(when, run))) await run.perform(steps);
    },
  };
};

const repeat: ReadCommand = (value, scope) => {
  const { times, commands, ...fields } = value.record('repeat', ['times', 'while', 'commands', ...COMMON]);
  if (!commands) throw value.fault('"commands" is missing.');
  const most = times?.whole('a number of times', 0, TIMES_MAX);
  const condition = fields.while && readCondition(fields.while, scope);
  if (most === undefined && !condition) throw value.fault('"times" or "while" is missing.');
  const steps = scope.steps(commands);
  return {
    words: [...(times ? [`${times.written} times`] : []), ...(condition ? [`while ${condition.words}`] : [])].join(' '),
    perform: async (run) => {
      for (let count = 0; count < (most ?? TIMES_MAX); count++) {
        if (condition && !(await holds(condition, run))) return;
        await run.perform(steps);
      }
      if (most === undefined) throw new StepFailure(`It goes on after ${TIMES_MAX.toLocaleString('en')} times.`);
    },
  };
};

const retry: ReadCommand = (value, scope) => {
  const { maxRetries, ...fields } = value.record('retry', ['maxRetries', 'file', 'commands', 'env', ...COMMON]);
  const retries = maxRetries?.whole('a number of retries', RETRIES.min, RETRIES.max) ?? RETRIES.default;
  const steps = bodyOf(value, fields, scope);
  return {
    words: `${retries + 1} times at most`,
    perform: async (run) => {
      for (let left = retries; ; left--) {
        try {
          return await run.perform(steps);
        } catch (error) {
          if (left === 0 || run.signal.aborted) throw error;
        }
      }
    },
  };
};

export const CONTROL: Commands = { runFlow, repeat, retry };
