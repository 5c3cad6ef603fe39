import jpeg from '@julusian/jpeg-turbo';

/** How a JPEG stores colour (ITU-T T.81, A.1 and A.2). */
export interface Chroma {
  /** libjpeg-turbo's number for it. */
  readonly subsampling: number;
  /** Pixels of a coded block, each way. */
  readonly blockPixels: number;
}

/** 4:2:0: for every second pixel each way, which takes two thirds of the time. Decoders blend the colours of neighbouring blocks. */
export const HALVED_CHROMA: Chroma = { subsampling: jpeg.SAMP_420, blockPixels: 16 };

/** 4:4:4: for every pixel. Each block is coded and decoded without a look at its neighbours. */
export const FULL_CHROMA: Chroma = { subsampling: jpeg.SAMP_444, blockPixels: 8 };
