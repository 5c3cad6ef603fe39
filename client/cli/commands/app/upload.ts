import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { LIMITS } from '../../../../protocol/limits.ts';
import type { AssetRecord } from '../../../sdk/files.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { invalidRequest } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { withProgress } from '../../progress.ts';
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
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw invalidRequest(`"${file}" is no file that can be read.`);
  const { size: byteSize } = found;
  if (byteSize === 0 || byteSize > LIMITS.assetBytes) throw invalidRequest(`"${file}" must have 1 byte to 2 GiB.`);
  const { cloud } = cli;
  const source = createReadStream(file);
  cli.own(() => source.destroy());
  const chunks = withProgress(cli, options, { label: 'upload', byteSize }, source);
  const stream = ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>;
  return cloud.assets.upload({ stream, byteSize }, { signal: cli.io.interrupt });
}
