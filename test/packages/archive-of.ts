import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ZipArchive } from '../../server/archive/zip-archive.ts';
import type { AppPackage } from '../../server/device/app-package.ts';
import { describePackage } from '../../server/packages/describe-package.ts';

interface Test {
  testdir(): string;
  teardown(task: () => void): void;
}

let files = 0;

function fileOf(t: Test, bytes: Buffer): string {
  files++;
  const path = join(t.testdir(), `package-${files}`);
  writeFileSync(path, bytes);
  return path;
}

/** Opens these bytes as an archive; the file is closed at the end of the test. */
export async function archiveOf(t: Test, bytes: Buffer): Promise<ZipArchive> {
  const fd = openSync(fileOf(t, bytes), 'r');
  t.teardown(() => closeSync(fd));
  return ZipArchive.open(fd);
}

export function describe(t: Test, bytes: Buffer): Promise<AppPackage> {
  return describePackage(fileOf(t, bytes));
}
