import { type SchemaOptions, type Static, Type } from '@sinclair/typebox';
import { compileCheck, oneOf } from './compile-check.ts';
import { DURATION_PATTERN, formatDuration, parseDurationMs } from './duration-text.ts';
import { type Checked, fault } from './fault.ts';
import { LIMITS, type Range } from './limits.ts';
import { canonicalOrigin } from './origin.ts';
import { CAPABILITIES, ORIENTATIONS, PLATFORMS } from './platforms.ts';
import { snapshotName } from './snapshot.ts';

const duration = ({ min, max, default: fallback }: Range & { readonly default: number }, description: string) =>
  Type.String({
    pattern: DURATION_PATTERN,
    words: `a duration such as "90s", "10m" or "2h", from ${formatDuration(min)} to ${formatDuration(max)}`,
    description: `${description}, ${formatDuration(min)} to ${formatDuration(max)}; default: ${formatDuration(fallback)}`,
    examples: [formatDuration(fallback)],
  });

const label = (options: SchemaOptions = {}) =>
  Type.String({
    minLength: LIMITS.sessionLabelCharacters.min,
    maxLength: LIMITS.sessionLabelCharacters.max,
    ...options,
  });

/** Body of `POST /service/sessions`. */
export const CreateSession = Type.Object(
  {
    platform: oneOf(PLATFORMS, { description: 'Platform of the device' }),
    deviceModel: Type.Optional(
      label({ description: 'Only a device of this model; default: any', examples: ['Virtual iPhone'] }),
    ),
    osVersion: Type.Optional(
      label({ description: 'Only a device with this version of its system; default: any', examples: ['1.0'] }),
    ),
    snapshot: Type.Optional(snapshotName('Name of the snapshot that the device begins with; default: a new device')),
    orientation: Type.Optional(oneOf(ORIENTATIONS, { description: 'Orientation at the start; default: portrait' })),
    inactivityTimeout: Type.Optional(
      duration(LIMITS.sessionInactivityTimeoutMs, 'The session ends after this time without activity'),
    ),
    hardTimeout: Type.Optional(duration(LIMITS.sessionHardTimeoutMs, 'The session ends after this time in any case')),
    installAssets: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: LIMITS.sessionInstallAssets,
        description: 'Ids of uploaded apps to install at the start',
        examples: [['ast_4kZ1bQx7RmT9vLs2WcHn0e']],
      }),
    ),
    embedOrigins: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$',
          words: 'an origin such as "https://example.com", without a path',
        }),
        {
          maxItems: LIMITS.sessionEmbedOrigins,
          description: 'Origins of pages that may embed the viewer',
          examples: [['https://app.example.com']],
        },
      ),
    ),
    labels: Type.Optional(
      // Assigning a label named `__proto__` to a copy would set the prototype of the copy.
      Type.Record(Type.String({ pattern: '^(?!__proto__$)[A-Za-z0-9._/-]{1,64}$' }), label(), {
        maxProperties: LIMITS.sessionLabels,
        additionalProperties: false,
        words: 'an object of texts, with names of 1 to 64 letters, digits, ".", "_", "/" and "-"',
        description: 'Labels of your own, to find the session by',
        examples: [{ team: 'checkout' }],
      }),
    ),
    historyTexts: Type.Optional(
      oneOf(['length', 'full'], {
        description:
          'Whether the history keeps texts that are typed or copied, so that it can be replayed, or their `length` alone; ' +
          'default: `length`, since a text may be a password',
      }),
    ),
    historyElements: Type.Optional(
      Type.Boolean({
        description:
          'Whether the history tells what was on the screen before each input, and under each touch, so that a flow can be made of it; ' +
          'default: `false`, since the screen is read each time',
      }),
    ),
  },
  { $id: 'CreateSession', additionalProperties: false },
);
export type CreateSession = Static<typeof CreateSession>;

/** A checked creation request with its defaults. */
export interface SessionRequest extends Omit<CreateSession, 'inactivityTimeout' | 'hardTimeout'> {
  readonly orientation: NonNullable<CreateSession['orientation']>;
  readonly inactivityTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly installAssets: string[];
  /** As browsers write them in `Origin`. */
  readonly embedOrigins: string[];
  readonly labels: Record<string, string>;
}

const check = compileCheck(CreateSession);

export function checkCreateSession(body: unknown): Checked<SessionRequest> {
  const refused = check(body);
  if (refused) return { ok: false, fault: refused };
  const { inactivityTimeout, hardTimeout, ...rest } = body as CreateSession;
  const inactivityTimeoutMs = durationWithin(inactivityTimeout, LIMITS.sessionInactivityTimeoutMs);
  if (inactivityTimeoutMs === undefined) return outOfRange('inactivityTimeout', LIMITS.sessionInactivityTimeoutMs);
  const hardTimeoutMs = durationWithin(hardTimeout, LIMITS.sessionHardTimeoutMs);
  if (hardTimeoutMs === undefined) return outOfRange('hardTimeout', LIMITS.sessionHardTimeoutMs);
  if (rest.snapshot !== undefined && rest.orientation !== undefined) {
    return { ok: false, fault: fault('orientation', 'cannot be given with "snapshot", which has its own') };
  }
  const { orientation = 'portrait', installAssets = [], embedOrigins = [], labels = {} } = rest;
  const { orientations } = CAPABILITIES[rest.platform];
  if (!orientations.includes(orientation)) {
    return { ok: false, fault: fault('orientation', `must be one of ${orientations.join(', ')} on ${rest.platform}`) };
  }
  const origins = embedOrigins.map(canonicalOrigin);
  const impossible = origins.indexOf(undefined);
  if (impossible >= 0) {
    return { ok: false, fault: fault(`embedOrigins[${impossible}]`, 'must be an origin that a browser can have') };
  }
  return {
    ok: true,
    value: {
      ...rest,
      orientation,
      installAssets,
      embedOrigins: origins as string[],
      labels,
      inactivityTimeoutMs,
      hardTimeoutMs,
    },
  };
}

function durationWithin(text: string | undefined, range: Range & { readonly default: number }): number | undefined {
  const ms = text === undefined ? range.default : parseDurationMs(text);
  return ms !== undefined && ms >= range.min && ms <= range.max ? ms : undefined;
}

function outOfRange(path: string, { min, max }: Range): Checked<never> {
  return { ok: false, fault: fault(path, `must be from ${formatDuration(min)} to ${formatDuration(max)}`) };
}
