const ANSWER_MS_MAX = 10_000;
const UNKNOWN = 'of an unknown version';

/** The version of a service, as its public description says; it is no reason to fail if it does not. */
export async function serviceVersion(url: string): Promise<string> {
  try {
    const address = `${url.replace(/\/+$/, '')}/openapi.json`;
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX), redirect: 'error' });
    const { info } = (await answer.json()) as { readonly info?: { readonly version?: unknown } };
    return typeof info?.version === 'string' ? info.version : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
