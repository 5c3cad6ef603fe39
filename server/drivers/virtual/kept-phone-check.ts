import { compileCheck, type Fault, fault, oneOf, PLATFORMS } from '@runcloud/protocol';
import { type TProperties, Type } from '@sinclair/typebox';
import { savedPhoneFault } from '../../phone/saved-state.ts';
import type { KeptPhone } from './phone-file.ts';

/** Loaded when a file is read: it brings TypeBox with it, which is as large as all the rest of a phone. */

const only = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
const text = Type.String();
const texts = Type.Array(text);
const facts = {
  identifier: text,
  name: text,
  version: text,
  icon: Type.Optional(only({ base64: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }) })),
};
const filter = only({
  schemes: texts,
  authorities: Type.Array(only({ host: text, port: Type.Optional(Type.Integer()) })),
  paths: Type.Array(only({ kind: oneOf(['literal', 'prefix', 'suffix', 'pattern', 'advanced']), value: text })),
  autoVerify: Type.Boolean(),
});
const APPS = {
  ios: only({ ...facts, platform: Type.Literal('ios'), urlSchemes: texts, linkedHosts: texts }),
  android: only({
    ...facts,
    platform: Type.Literal('android'),
    activities: Type.Array(only({ name: text, filters: Type.Array(filter) })),
  }),
};
const HEAD = only({
  platform: oneOf(PLATFORMS),
  model: text,
  apps: Type.Array(Type.Unknown()),
  phone: Type.Unknown(),
});

/** The first thing that keeps a value from being a `KeptPhone`, with icons as base64; `undefined` where it is one. */
export function keptPhoneFault(value: unknown): Fault | undefined {
  const wrong = compileCheck(HEAD)(value);
  if (wrong) return wrong;
  const { platform, apps, phone } = value as KeptPhone;
  const check = compileCheck(APPS[platform]);
  for (const [index, app] of apps.entries()) {
    const found = check(app);
    if (found) return fault(`apps[${index}].${found.path}`, found.message);
  }
  const found = savedPhoneFault(phone);
  if (found) return fault(`phone.${found.path}`, found.message);
  const known = new Set(apps.map(({ identifier }) => identifier));
  const unknown = phone.installed.findIndex((id) => !known.has(id));
  return unknown < 0 ? undefined : fault(`phone.installed[${unknown}]`, 'is no app of it');
}
