import type { UiNode } from '../../../client/sdk/types.ts';
import { every } from '../elements.ts';
import { READS, said, tool } from '../tool.ts';

const FOUND_MAX = 20;

export const find = tool<{ text: string }>({
  name: 'find',
  description: 'Find elements whose name, value or id has a text; answers with refs and where they are.',
  properties: { text: { type: 'string', minLength: 1, maxLength: 200 } },
  required: ['text'],
  annotations: READS,
  scope: 'device',
  async run({ given: { text }, session, signal }) {
    const { frame, nodes } = await (await session()).ui({ signal });
    const wanted = text.toLowerCase();
    const found = every(nodes).filter(({ name, value, id }) =>
      [name, value, id].some((words) => words?.toLowerCase().includes(wanted)),
    );
    const lines = found.slice(0, FOUND_MAX).map(lineOf);
    const left = found.length - lines.length;
    return said(`frame ${frame} · ${found.length} found`, ...lines, left > 0 ? `… ${left} more` : undefined);
  },
});

function lineOf({ role, name, value, ref, frame: { x, y, width, height } }: UiNode): string {
  const words = [role, name === undefined ? undefined : JSON.stringify(name)];
  if (value !== undefined) words.push(`= ${JSON.stringify(value.slice(0, 80))}`);
  const at = [x + width / 2, y + height / 2].map((share) => Math.round(share * 1_000) / 1_000).join(',');
  return [...words, ref, `at ${at}`].filter((word) => word !== undefined).join(' ');
}
