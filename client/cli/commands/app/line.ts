import type { AssetRecord } from '../../../sdk/files.ts';
import { sizeOf } from '../../progress.ts';

/** One line for a person. */
export const lineOf = ({ id, platform, name, identifier, version, byteSize }: AssetRecord): string =>
  `${id}  ${platform}  ${name} ${version} (${identifier})  ${sizeOf(byteSize)}`;
