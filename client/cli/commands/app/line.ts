import type { AssetSummary } from '../../../sdk/files.ts';
import { sizeOf } from '../../progress.ts';

/** One line for a person. */
export const lineOf = ({ id, platform, name, identifier, version, byteSize }: AssetSummary): string =>
  `${id}  ${platform}  ${name} ${version} (${identifier})  ${sizeOf(byteSize)}`;
