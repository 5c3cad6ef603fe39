import { lengthOf } from './answer-body.ts';
import { FILE_STEP_BYTES } from './bounds.ts';
import type { RunCloudError } from './error.ts';
import { Fetching } from './fetching.ts';
import { type Http, type HttpCall, mediaTypeOf } from './http.ts';
import { Mp4Scan } from './mp4.ts';

/** The download of a recording's file. */
export interface Mp4Download {
  readonly contentType: string;
  /** Length of the file in bytes, if the service sent it. */
  readonly byteSize: number | undefined;
  /** Fails at its end with a `RunCloudError` if the bytes are not a complete MP4. */
  readonly stream: ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
}

/** From the service to the retrieval reference, and what a store behind it may add. */
const REDIRECTS_MAX = 3;

/**
 * Follows the redirect to the file's short-lived address, which carries its own signature and is never sent the key.
 *
 * @param bytesMax limit of the file; a longer one is refused by its Content-Length or by the bytes received
 */
export async function downloadMp4(http: Http, call: HttpCall, bytesMax: number): Promise<Mp4Download> {
  const location = await http.read(call, async (response) => {
    await response.body?.cancel();
    if (response.type === 'opaqueredirect') return undefined;
    return locationOf(http, call, response, http.baseUrl + call.path);
  });
  // From here on only a stalled transfer or the caller's signal ends the download.
  const fetching = new Fetching(http, call);
  try {
    const response = await (location === undefined
      ? followBlindly(http, call, fetching)
      : follow(http, call, fetching, location));
    const contentType = mediaTypeOf(response);
    const byteSize = lengthOf(response);
    const tooLong = byteSize !== undefined && byteSize > bytesMax;
    if (contentType !== 'video/mp4' || response.body === null || tooLong) {
      await response.body?.cancel();
      const type = `its content type is "${contentType}" instead of "video/mp4"`;
      throw http.invalid(call, tooLong ? `the file has more than ${bytesMax} bytes` : type, response);
    }
    const bounds = { byteSize, bytesMax };
    const stream = checked(http, call, fetching, response.body, bounds) as Mp4Download['stream'];
    return { contentType, byteSize, stream };
  } catch (error) {
    fetching.deadline.end();
    throw error;
  }
}

async function follow(http: Http, call: HttpCall, fetching: Fetching, first: URL): Promise<Response> {
  let url = first;
  for (let count = 0; count < REDIRECTS_MAX; count++) {
    const response = await fetching.head(url.href, 'manual');
    if (response.status === 200) return response;
    await response.body?.cancel();
    if (response.status < 300 || response.status >= 400) {
      throw http.invalid(call, `the file's address answers with status ${response.status}`, response);
    }
    url = locationOf(http, call, response, url.href);
  }
  throw http.invalid(call, 'it leads from one address to another without end', { status: 302 });
}

/** A browser hides the target of a redirect, follows it itself, and drops the key for another host. */
async function followBlindly(http: Http, call: HttpCall, fetching: Fetching): Promise<Response> {
  const headers = { Authorization: await fetching.authorization() };
  const response = await fetching.head(http.baseUrl + call.path, 'follow', headers);
  if (response.status === 200) return response;
  await response.body?.cancel();
  throw http.invalid(call, `the file's address answers with status ${response.status}`, response);
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

/** The same bytes, checked while streaming; an interruption becomes a failure of the call. */
function checked(
  http: Http,
  call: HttpCall,
  fetching: Fetching,
  body: ReadableStream<Uint8Array>,
  { byteSize, bytesMax }: { readonly byteSize: number | undefined; readonly bytesMax: number },
): ReadableStream<Uint8Array> {
  const scan = new Mp4Scan();
  const reader = body.getReader();
  const invalid = (fault: string): RunCloudError => http.invalid(call, fault, { status: 200 });
  let count = 0;
  let steps = 0;
  const end = (): void => {
    fetching.deadline.end();
    reader.cancel().catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await fetching.next(reader);
        if (!done) {
          count += value.length;
          if (count > bytesMax) throw invalid(`the file has more than ${bytesMax} bytes`);
          const step = Math.floor(count / FILE_STEP_BYTES);
          if (step > steps) fetching.movedOn();
          steps = step;
          scan.push(value);
          controller.enqueue(value);
          return;
        }
        const short = byteSize !== undefined && count !== byteSize ? `${count} of ${byteSize} bytes came` : undefined;
        const fault = short ?? scan.end();
        if (fault !== undefined) throw invalid(fault);
        controller.close();
        end();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel: end,
  });
}
