import type { SessionHandle } from '../../../client/sdk/session.ts';
import { ACCESSES, type Access, PERMISSIONS, type Permission } from '../../../protocol/permission.ts';
import { ToolFailure } from '../failure.ts';
import { DESTROYS, said, tool } from '../tool.ts';

interface Given {
  readonly do: 'list' | (typeof OF_ONE)[number];
  readonly app?: string;
  readonly permission?: Permission;
  readonly access?: Access;
  readonly payload?: { readonly aps: object };
  readonly requestId?: string;
}

const OF_ONE = ['launch', 'terminate', 'clear', 'permit', 'push'] as const;
const LISTED_MAX = 60;

export const app = tool<Given>({
  name: 'app',
  description:
    'List, launch or terminate apps by id, or clear the data of one; of an installed one set a permission, or push an APNs payload to it.',
  properties: {
    do: { enum: ['list', ...OF_ONE] },
    app: { type: 'string' },
    permission: { enum: [...PERMISSIONS] },
    access: { enum: [...ACCESSES] },
    payload: { type: 'object', required: ['aps'], properties: { aps: { type: 'object' } } },
  },
  required: ['do'],
  annotations: DESTROYS,
  scope: 'device',
  async run({ given, session, signal }) {
    const { do: what, app: id } = given;
    if (what !== 'list' && id === undefined) throw required('app', 'act on one');
    const phone = await session();
    return said(
      ...(id === undefined || what === 'list' ? await listed(phone, signal) : [await done(phone, id, given, signal)]),
    );
  },
});

const required = (field: keyof Given, purpose: string) =>
  new ToolFailure('invalid_request', `"${field}" is required to ${purpose}.`);

async function listed(phone: SessionHandle, signal: AbortSignal): Promise<readonly string[]> {
  const { apps } = (await phone.listApps({ signal })).result;
  const lines = apps
    .slice(0, LISTED_MAX)
    .map(({ app, name, state }) => `${app} ${JSON.stringify(name ?? '')} ${state}`);
  const left = apps.length - lines.length;
  return left > 0 ? [...lines, `… ${left} more`] : lines;
}

/** Says what became of it. */
async function done(phone: SessionHandle, id: string, given: Given, signal: AbortSignal): Promise<string> {
  const { do: what, permission, access, payload, requestId } = given;
  const options = { requestId, signal };
  switch (what) {
    case 'launch':
      return `${id} ${(await phone.launchApp(id, options)).result.state}`;
    case 'terminate':
      await phone.terminateApp(id, options);
      return `${id} terminated`;
    case 'permit': {
      if (permission === undefined) throw required('permission', 'set one');
      if (access === undefined) throw required('access', 'set a permission');
      const { result } = await phone.setPermission(id, permission, access, options);
      return `${id} ${permission} ${result.state ?? access}`;
    }
    case 'push': {
      if (payload === undefined) throw required('payload', 'push one');
      const { shown } = (await phone.sendPush(id, payload, options)).result;
      return `${id} ${shown === undefined ? 'delivered' : shown ? 'shown' : 'delivered, not shown'}`;
    }
    default:
      await phone.clearAppData(id, options);
      return `${id} cleared`;
  }
}
