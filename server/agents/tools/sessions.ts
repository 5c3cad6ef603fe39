import { ACTS, DESTROYS, READS, said, tool } from '../tool.ts';

const LISTED_MAX = 20;

export const start = tool<{ platform: 'ios' | 'android'; model?: string; requestId?: string }>({
  name: 'start',
  description: 'Start a phone. Answers with the session id that other tools take. End it when done.',
  properties: { platform: { enum: ['ios', 'android'] }, model: { type: 'string' } },
  required: ['platform'],
  annotations: ACTS,
  scope: 'account',
  async run({ given: { platform, model, requestId }, ground, signal }) {
    const request = { platform, ...(model === undefined ? {} : { deviceModel: model }) };
    const { id, record } = await ground.cloud.sessions.create(request, { idempotencyKey: requestId, signal });
    return said(`session ${id} · ${wordsOf(record)}`);
  },
});

export const end = tool<Record<string, never>>({
  name: 'end',
  description: 'End the session and release its phone.',
  properties: {},
  annotations: DESTROYS,
  scope: 'session',
  async run({ session, signal }) {
    const { id, status } = await (await session()).delete({ signal });
    return said(`session ${id} · ${status}`);
  },
});

export const devices = tool<Record<string, never>>({
  name: 'devices',
  description: 'List your active sessions and their phones.',
  properties: {},
  annotations: READS,
  scope: 'account',
  async run({ ground, signal }) {
    const sessions = await ground.cloud.sessions.list({ status: 'active', limit: LISTED_MAX, signal });
    if (sessions.length === 0) return said('no active session');
    return said(...sessions.map(({ id, record }) => `session ${id} · ${wordsOf(record)}`));
  },
});

const wordsOf = ({ platform, device }: { readonly platform: string; readonly device?: unknown }): string => {
  const { model, osVersion } = (device ?? {}) as { readonly model?: string; readonly osVersion?: string };
  return [platform, model, osVersion].filter((word) => word !== undefined).join(' · ');
};
