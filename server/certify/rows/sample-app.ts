import { readFile } from 'node:fs/promises';
import { RunCloudError } from '../../../client/sdk/index.ts';
import type { Subject } from '../subject.ts';
import { NotOffered } from './row.ts';

const SAMPLES = { ios: 'sample.ipa', android: 'sample.apk' } as const;

/** Installs the sample app, and hands its identifier to `use`; removes it then. */
export async function withSample(subject: Subject, use: (app: string) => Promise<string>): Promise<string> {
  const { session, ground } = subject;
  const { cloud, platform, signal } = ground;
  const file = await readFile(new URL(`../../sample/${SAMPLES[platform]}`, import.meta.url));
  const { id } = await cloud.assets.upload(file, { signal });
  subject.atEnd(() => cloud.assets.delete(id));
  const app = await installed(subject, id);
  try {
    return await use(app);
  } finally {
    await session.uninstallApp(app);
  }
}

async function installed({ session, ground: { signal } }: Subject, asset: string): Promise<string> {
  try {
    return (await session.installApp(asset, { signal })).result.app;
  } catch (error) {
    // It has an icon and a name, and no program, which some systems do not take.
    if (error instanceof RunCloudError && error.code === 'interaction_failed') throw new NotOffered(error.message);
    throw error;
  }
}
