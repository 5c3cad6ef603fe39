import type { ObjectStoreSettings } from './link/recording-messages.ts';
import { SettingsError } from './settings-error.ts';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,64}$/;

/** All of them or none. Their values are not told: one of them is secret, and is easily put in the place of another. */
export function readObjectStore(
  environment: Readonly<Record<string, string | undefined>>,
): ObjectStoreSettings | undefined {
  const {
    RUNCLOUD_S3_URL: url,
    RUNCLOUD_S3_BUCKET: bucket,
    RUNCLOUD_S3_REGION: region = 'us-east-1',
    RUNCLOUD_S3_ACCESS_KEY_ID: accessKeyId,
    RUNCLOUD_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = environment;
  if ([url, bucket, environment.RUNCLOUD_S3_REGION, accessKeyId, secretAccessKey].every((value) => value === undefined))
    return undefined;
  const wrong = (name: string, allowed: string): never => {
    throw new SettingsError(`RUNCLOUD_S3_${name} is absent or cannot be used; allowed: ${allowed}`);
  };
  const origin =
    /^https?:\/\/[^\s/?#\\@]+\/?$/i.test(url ?? '') && URL.canParse(url ?? '') ? new URL(url ?? '').origin : '';
  if (origin === '')
    wrong('URL', 'the origin of a store that speaks the S3 API, as in https://s3.eu-central-1.amazonaws.com');
  if (!BUCKET.test(bucket ?? '')) wrong('BUCKET', 'the name of a bucket, 3 to 63 of a-z, 0-9, - and .');
  if (!REGION.test(region)) wrong('REGION', 'a region, as in eu-central-1');
  if (!/^[!-~]{1,256}$/.test(accessKeyId ?? '')) wrong('ACCESS_KEY_ID', '1 to 256 visible ASCII characters');
  if (!/^[!-~]{1,256}$/.test(secretAccessKey ?? '')) wrong('SECRET_ACCESS_KEY', '1 to 256 visible ASCII characters');
  return {
    url: origin,
    bucket: bucket ?? '',
    region,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  };
}
