import type { RunCloud } from '../../client/sdk/index.ts';
import type { PageHost } from './page-host.ts';

/** The service through which a device is certified: one that is started for it, or one that runs. */
export interface Service {
  /** What is certified, for the certificate. */
  readonly entry: string;
  readonly platform: 'ios' | 'android';
  /** Any of the platform where absent. */
  readonly deviceModel?: string | undefined;
  /** Whether it offers this device alone. */
  readonly exclusive: boolean;
  readonly page: PageHost;
  /** What is touched, line by line, for whoever gives leave. */
  readonly touches: readonly string[];
  /** @param folder for its files; removed afterwards */
  open(folder: string): Promise<OpenService>;
}

export interface OpenService {
  readonly url: string;
  readonly cloud: RunCloud;
  /** Of each session that is created. */
  readonly labels: Readonly<Record<string, string>>;
  /** Ends every session that is left; the service itself too, if it was started for this. */
  close(): Promise<void>;
}
