import { unanswered } from './error.ts';
import { type Http, type HttpCall, mediaTypeOf } from './http.ts';
import { Mp4Scan } from './mp4.ts';

/** A recording's file on its way. */
export interface Mp4Download {
  readonly contentType: string;
  /** Length of the file in bytes, where the service told it. */
  readonly byteSize: number | undefined;
  /** Errors at its end, with a `RunCloudError`, when what passed is no whole MP4. */
  readonly stream: ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
}

/** From the service to the retrieval reference, and what a store behind it may add. */
const REDIRECTS_MAX = 3;

/**
 * Follows the service to the file's short-lived address, which carries its own signature and is never given the key,
 * wherever it is.
 */
export async function downloadMp4(http: Http, call: HttpCall): Promise<Mp4Download> {
  // The deadline of the call is for the first answer; a file takes as long as it takes, and its caller's signal ends it.
  const location = await http.read(call, async (response) => {
    await response.body?.cancel();
    if (response.type === 'opaqueredirect') return undefined;
    return locationOf(http, call, response, http.baseUrl + call.path);
  });
  const response = location === undefined ? await followBlindly(http, call) : await follow(http, call, location);
  const contentType = mediaTypeOf(response);
  if (contentType !== 'video/mp4' || response.body === null) {
    await response.body?.cancel();
    throw http.invalid(call, `its content type is "${contentType}" instead of "video/mp4"`, response);
  }
  const length = response.headers.get('Content-Length');
  const byteSize = length === null ? undefined : Number(length);
  const stream = checked(http, call, response.body, byteSize) as Mp4Download['stream'];
  return { contentType, byteSize, stream };
}

async function follow(http: Http, call: HttpCall, first: URL): Promise<Response> {
  let url = first;
  for (let count = 0; count < REDIRECTS_MAX; count++) {
    const response = await fetched(http, call, url.href, 'manual');
    if (response.status === 200) return response;
    await response.body?.cancel();
    if (response.status < 300 || response.status >= 400) {
      throw http.invalid(call, `the file's address answers with status ${response.status}`, response);
    }
    url = locationOf(http, call, response, url.href);
  }
  throw http.invalid(call, 'it leads from one address to another without end', { status: 302 });
}

/** A browser does not tell where a redirect leads, follows it itself, and takes the key off for another host. */
async function followBlindly(http: Http, call: HttpCall): Promise<Response> {
  const response = await fetched(http, call, http.baseUrl + call.path, 'follow', { Authorization: http.authorization });
  if (response.status === 200) return response;
  await response.body?.cancel();
  throw http.invalid(call, `the file's address answers with status ${response.status}`, response);
}

async function fetched(
  http: Http,
  call: HttpCall,
  url: string,
  redirect: RequestRedirect,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  try {
    return await http.fetchWithoutKey(url, { redirect, headers, ...(call.signal ? { signal: call.signal } : {}) });
  } catch (cause) {
    call.signal?.throwIfAborted();
    throw unanswered(call.operation, 'transport', 'The file cannot be reached.', call.about, { cause });
  }
}

function locationOf(http: Http, call: HttpCall, response: Response, base: string): URL {
  const location = response.headers.get('Location');
  if (response.status < 300 || location === null || !URL.canParse(location, base)) {
    throw http.invalid(call, 'it does not lead to the file', response);
  }
  const url = new URL(location, base);
  const downgraded = new URL(base).protocol === 'https:' && url.protocol !== 'https:';
  if (downgraded || !/^https?:$/.test(url.protocol)) {
    throw http.invalid(call, 'it leads to an address that is not safe to follow', response);
  }
  return url;
}

/** The same bytes, checked while they pass; what breaks in the middle is told as a failure of the call. */
function checked(
  http: Http,
  call: HttpCall,
  body: ReadableStream<Uint8Array>,
  byteSize: number | undefined,
): ReadableStream<Uint8Array> {
  const scan = new Mp4Scan();
  const reader = body.getReader();
  let count = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        call.signal?.throwIfAborted();
        throw unanswered(call.operation, 'transport', 'The file broke off.', call.about, { cause });
      });
      if (!done) {
        count += value.length;
        scan.push(value);
        controller.enqueue(value);
        return;
      }
      const short = byteSize !== undefined && count !== byteSize ? `${count} of ${byteSize} bytes came` : undefined;
      const fault = short ?? scan.end();
      if (fault !== undefined) throw http.invalid(call, fault, { status: 200 });
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
