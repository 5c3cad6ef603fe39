import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What an operator is given to run a fleet: `server/deploy`. */

export const DEPLOY = 'server/deploy';
export const deployFile = (name: string): string => readFileSync(`${DEPLOY}/${name}`, 'utf8');

type Variables = Readonly<Record<string, string>>;

/** A step of a Dockerfile: `COPY`, and what follows it, with its continued lines. */
export interface DockerStep {
  readonly name: string;
  readonly text: string;
}

export const dockerSteps = (): DockerStep[] =>
  [...deployFile('Dockerfile').matchAll(/^([A-Z]+) ((?:.*\\\n)*.*)$/gm)].map(([, name = '', text = '']) => ({
    name,
    text: text.replace(/\\\n/g, ' '),
  }));

/** What a step that starts a program in the exec form starts. */
export function execOf(name: 'CMD' | 'HEALTHCHECK'): string[] {
  const text = dockerSteps().find((step) => step.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('[')));
}

/** Files of the build's context that a `COPY` takes, and where they go; not what comes from another stage. */
export const copiesOf = ({ name, text }: DockerStep): { readonly from: string[]; readonly to: string } | undefined => {
  if (name !== 'COPY' || text.includes('--from=')) return undefined;
  const from = text.split(' ');
  return { to: from.pop() ?? '', from };
};

export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly network_mode?: string;
}

/** The names of variables in compose.yaml, each with what is behind it, as in `:?the password`. */
export const composeVariables = (): [name: string, rest: string][] =>
  [...deployFile('compose.yaml').matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name = '', rest = '']) => [name, rest]);

/** The services of compose.yaml, with these values for its variables. */
export function composeServices(values: Variables): Readonly<Record<string, ComposeService>> {
  const text = deployFile('compose.yaml').replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? '');
  return parse(text, { merge: true }).services;
}

/** `Environment=` of a unit, one variable in each line. */
export const unitEnvironment = (unit: string): Record<string, string> =>
  Object.fromEntries(
    [...deployFile(unit).matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );

/** The settings that a file for `EnvironmentFile=` proposes, with the `#` before them taken away. */
export const proposedSettings = (name: string): Record<string, string> =>
  Object.fromEntries(
    [...deployFile(name).matchAll(/^#(\w+)=(?:"(.*)"|(.*))$/gm)].map(([, key, quoted, plain]) => [
      key,
      quoted ?? plain,
    ]),
  );
