import { TinyH264, TinyH264Decoder } from './tinyh264.ts';
import { rgbaOf } from './yuv.ts';

/** The page's order to the worker: decode one access unit and crop it to the visible size. */
export interface DecodeOrder {
  readonly unit: ArrayBuffer;
  readonly width: number;
  readonly height: number;
}

interface DecodedPicture {
  readonly kind: 'picture';
  /** RGBA. */
  readonly pixels: ArrayBuffer;
  readonly width: number;
  readonly height: number;
}

/** One answer for each order, in order; `nothing` when the unit gave no picture. */
export type DecodeAnswer = DecodedPicture | { readonly kind: 'nothing' };

/** The decoder copies each unit into a buffer of this size without looking at the length. */
const UNIT_BYTES_MAX = 1024 * 1024;

interface WorkerScope {
  onmessage: ((event: MessageEvent<DecodeOrder>) => void) | null;
  postMessage(answer: DecodeAnswer, transfer: Transferable[]): void;
}

/** Runs in a worker of the same bundle: decodes baseline H.264 by WebAssembly and hands pixels back. */
export function runSoftwareWorker(scope: WorkerScope): void {
  // The module would fetch its `data:` address, which the page's policy forbids; without `fetch` it reads it directly.
  Object.defineProperty(scope, 'fetch', { value: undefined });
  const decoder = makeDecoder();
  // Listens at once: a worker loses what comes while nobody does. What comes before the module is ready waits for it.
  scope.onmessage = ({ data }) => {
    void decoder
      .then((decode) => decode(data))
      // A module that does not compile answers as well: the page then takes another way.
      .catch(() => undefined)
      .then((picture) => {
        if (picture) scope.postMessage(picture, [picture.pixels]);
        else scope.postMessage({ kind: 'nothing' }, []);
      });
  };
}

async function makeDecoder(): Promise<(order: DecodeOrder) => DecodedPicture | undefined> {
  let size = { width: 0, height: 0 };
  let picture: DecodedPicture | undefined;
  const decoder = new TinyH264Decoder(await TinyH264(), (yuv, codedWidth, codedHeight) => {
    const width = Math.min(size.width, codedWidth);
    const height = Math.min(size.height, codedHeight);
    picture = { kind: 'picture', pixels: rgbaOf(yuv, codedWidth, codedHeight, width, height).buffer, width, height };
  });
  return ({ unit, width, height }) => {
    size = { width, height };
    picture = undefined;
    if (unit.byteLength <= UNIT_BYTES_MAX) decoder.decode(new Uint8Array(unit));
    return picture;
  };
}
