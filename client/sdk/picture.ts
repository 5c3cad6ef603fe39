import { readBytes } from './answer-body.ts';
import { type Http, type HttpCall, mediaTypeOf } from './http.ts';

/** The picture that a call answers, of this media type. */
export function readPicture(http: Http, call: HttpCall, mediaType: string): Promise<Uint8Array> {
  return http.read(call, async (response, deadline) => {
    const image =
      mediaTypeOf(response) === mediaType && (await readBytes(response, http.bounds.screenshotBytes, deadline));
    if (image) return image;
    await response.body?.cancel().catch(() => undefined);
    throw http.invalid(call, 'no picture, or too long', response);
  });
}
