import { ToolFailure } from '../failure.ts';
import { DESTROYS, said, tool } from '../tool.ts';

interface Given {
  readonly do: 'list' | 'launch' | 'terminate' | 'clear';
  readonly app?: string;
  readonly requestId?: string;
}

const LISTED_MAX = 60;

export const app = tool<Given>({
  name: 'app',
  description: 'List, launch or terminate apps by id, or clear the data of one.',
  properties: { do: { enum: ['list', 'launch', 'terminate', 'clear'] }, app: { type: 'string' } },
  required: ['do'],
  annotations: DESTROYS,
  scope: 'device',
  async run({ given: { do: what, app: id, requestId }, session, signal }) {
    const phone = await session();
    const options = { requestId, signal };
    if (what === 'list') {
      const { result } = await phone.listApps(options);
      const { apps } = result;
      const lines = apps
        .slice(0, LISTED_MAX)
        .map(({ app: one, name, state }) => `${one} ${JSON.stringify(name ?? '')} ${state}`);
      const left = apps.length - lines.length;
      return said(...lines, left > 0 ? `… ${left} more` : undefined);
    }
    if (id === undefined) throw new ToolFailure('invalid_request', `"app" is required to ${what} one.`);
    if (what === 'launch') return said(`${id} ${(await phone.launchApp(id, options)).result.state}`);
    if (what === 'terminate') await phone.terminateApp(id, options);
    else await phone.clearAppData(id, options);
    return said(`${id} ${what === 'clear' ? 'cleared' : 'terminated'}`);
  },
});
