import type { Host, HostDevices } from '../../sdk/hosts.ts';
import type { OutputOptions } from '../cli.ts';
import { type Define, leaf } from '../leaf.ts';
import { printList } from '../listing.ts';
import { dim, yellow } from '../terminal/line.ts';
import type { Column } from '../terminal/table.ts';
import { visible } from '../visible.ts';

const COLUMNS: readonly Column<Host>[] = [
  { header: 'HOST', cell: ({ name }) => name, min: 8 },
  { header: 'STATE', cell: (host) => (stateOf(host) === 'here' ? 'here' : yellow(stateOf(host))) },
  { header: 'SESSIONS', cell: ({ sessions }) => String(sessions) },
  { header: 'FREE', cell: ({ devices }) => devices.map(freeOf).join(', ') || dim('no devices'), min: 16 },
];

const NONE = ['no hosts', 'No hosts. Add one with "npm run admin -- host add NAME", at an edge.'] as const;

export const define: Define = (command, cli) =>
  leaf(command, ['hosts', 'hosts --json']).action(async (options: OutputOptions) => {
    const { hosts } = await cli.cloud.hosts({ signal: cli.io.interrupt });
    printList(cli, options, { items: hosts }, { name: 'hosts', lineOf, columns: COLUMNS, none: NONE });
  });

const stateOf = ({ state, isDraining }: Host): string =>
  state === 'here' && isDraining ? 'draining' : visible(String(state));

const freeOf = ({ model, free, total }: HostDevices): string => visible(`${free} of ${total} ${model}`);

const lineOf = (host: Host): string =>
  `${visible(host.name)}  ${stateOf(host)}  ${host.sessions} sessions  ${host.devices.map(freeOf).join(', ') || 'no devices'}`;
