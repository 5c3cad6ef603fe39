import type { DoctorReport, Finding } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { AccountServices } from '../account/account-services.ts';
import { LOCAL_ACCOUNT } from '../account/accounts.ts';
import type { HttpReply } from '../socket/http.ts';
import type { Call } from './call.ts';
import { json } from './reply.ts';

export interface DoctorServices {
  readonly account: AccountServices;
  /** Looks at the host, whose paths are nobody's business but the operator's. */
  readonly diagnose: () => Promise<readonly Finding[]>;
}

/** To every account but the operator's there is nothing at this address. */
export async function doctor({ owner }: Call, { account, diagnose }: DoctorServices): Promise<HttpReply> {
  if (account.describe(owner).name !== LOCAL_ACCOUNT) throw new ServiceError('not_found');
  return json(200, { findings: [...(await diagnose())] } satisfies DoctorReport);
}
