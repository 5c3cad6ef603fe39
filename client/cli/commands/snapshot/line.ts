import type { SnapshotRecord } from '../../../sdk/files.ts';

/** A snapshot in one line, for programs. */
export const lineOf = ({ name, platform, model, byteSize, createdAt }: SnapshotRecord): string =>
  `${name}  ${platform}  ${model}  ${byteSize} bytes  ${createdAt}`;
