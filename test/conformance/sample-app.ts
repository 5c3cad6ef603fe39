import { readFileSync } from 'node:fs';
import type { AssetRecord } from '@runcloud/protocol';
import type { Action, Subject } from './subject.ts';

/** The app of `server/sample`, as each platform names it. */
export const SAMPLE = 'com.example.sample';

/** Uploads the sample app; gives the request that installs it. */
export async function sampleInstallation({ platform, stage }: Subject): Promise<Action> {
  const file = readFileSync(`server/sample/sample.${platform === 'ios' ? 'ipa' : 'apk'}`);
  const answer = await stage.server.rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(file) });
  const { id } = (await answer.json()) as AssetRecord;
  return { action: 'installApp', asset: id };
}

export const installSample = async (subject: Subject) => subject.do(await sampleInstallation(subject));
export const removeSample = (subject: Subject) => subject.do({ action: 'uninstallApp', app: SAMPLE });
