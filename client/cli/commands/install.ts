import type { ResultOf } from '../../../protocol/actions/index.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { FORCE, type InteractionOptions, interact, interactionLeaf, OBSERVE } from '../interaction.ts';
import type { Define } from '../leaf.ts';
import { uploadFile } from './app/upload.ts';

const ASSET_ID = /^ast_[A-Za-z0-9]+$/;

export const define: Define = (command, cli) =>
  interactionLeaf(command, ['install demo.apk', 'install ast_4kZ1bQx7RmT9vLs2WcHn0e'], '1m')
    .option(...FORCE)
    .option(...OBSERVE)
    .argument('<app>', 'file to upload first, or the id of an uploaded app')
    .action(async (app: string, given: InteractionOptions) => {
      const asset = ASSET_ID.test(app) ? app : (await uploadFile(cli, app, given)).id;
      const options = { ...given, timeout: given.timeout ?? LIMITS.interactionTimeoutMs.max };
      await interact(cli, { action: 'installApp', asset }, options, words);
    });

const words = ({ app, name, version, state }: ResultOf<'installApp'>): readonly string[] => [
  [app, state, name, version].filter(Boolean).join('  '),
];
