import { setTimeout as sleep } from 'node:timers/promises';
import type { FloodKind } from './flood-order.ts';
import { FloodedService } from './flooded-service.ts';
import { type Counts, OtherAccount, type Times } from './other-account.ts';
import { invite, PASSWORD } from './people.ts';

/** Starting is not flooding: processes that read packages, and encoders, are there before anything is measured. */
const WARM_UP_MS = 500;
/** Sign-ins of one person are further apart than this many others. */
const PEOPLE_PER_SIGN_IN = 6;

/** Measures the requests of one account while another one, or unauthenticated callers, flood the service. */
export async function measureBesideFloods(
  kinds: readonly FloodKind[],
  { counts, sockets }: { readonly counts: Counts; readonly sockets: number },
): Promise<readonly { readonly kind: FloodKind; readonly times: Times }[]> {
  // The checks of answers are the tests' own, and would be most of what a list costs.
  const service = await FloodedService.start({ RUNCLOUD_CHECK_ANSWERS: undefined });
  try {
    const other = await OtherAccount.open(service, counts['sign-ins'] * PEOPLE_PER_SIGN_IN);
    const people = async (kind: FloodKind, index: number) => {
      if (kind !== 'sign-ins') return {};
      const { email, browser } = await invite(service, `hostile${index}@example.com`);
      const headers = { ...browser.own, Cookie: browser.mark };
      return { people: { own: { email, headers }, password: PASSWORD, others: other.emails } };
    };
    const found: { kind: FloodKind; times: Times }[] = [];
    for (const [index, kind] of kinds.entries()) {
      const flood = { kind, sockets, ...(await people(kind, index)) };
      found.push({
        kind,
        times: await service.beside(flood, () => sleep(WARM_UP_MS).then(() => other.measure(counts))),
      });
    }
    other.close();
    return found;
  } finally {
    await service.stop();
  }
}
