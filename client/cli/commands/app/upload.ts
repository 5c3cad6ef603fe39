import { LIMITS } from '../../../../protocol/limits.ts';
import type { AssetRecord } from '../../../sdk/files.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { type Define, leaf } from '../../leaf.ts';
import { sourceFile } from '../../source-file.ts';
import { bold, done } from '../../terminal/line.ts';
import { note } from '../../terminal/note.ts';
import { lineOf } from './line.ts';

export const define: Define = (command, cli) =>
  leaf(command, ['app upload demo.apk', 'app upload Demo.ipa --json'])
    .argument('<file>', '.apk, .ipa or a zipped .app, at most 2 GiB')
    .action((file: string, options: OutputOptions) => upload(cli, file, options));

async function upload(cli: Cli, file: string, options: OutputOptions): Promise<void> {
  const asset = await uploadFile(cli, file, options);
  const { id, name, version } = asset;
  cli.print(options, asset, [lineOf(asset)], (view) => [
    done(`Uploaded ${name} ${version}: `, bold(id)),
    ...note(
      `Use it with "runcloud session create ${asset.platform} --app ${id}", or with "runcloud install ${id}".`,
      view,
    ),
  ]);
}

/** Uploads an app's file, and shows how far it is. */
export async function uploadFile(cli: Cli, file: string, options: OutputOptions): Promise<AssetRecord> {
  const source = await sourceFile(cli, file, { ...options, bytesMax: LIMITS.assetBytes, most: '2 GiB' });
  return cli.cloud.assets.upload(source, { signal: cli.io.interrupt });
}
