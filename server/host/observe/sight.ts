import type { Picture, Rect } from '../../device/driver.ts';

/** A picture as it is remembered: the device's own changes at the next capture. */
export interface Sight extends Pick<Picture, 'version' | 'width' | 'height' | 'orientation'> {
  readonly display: string | undefined;
  /** The newest input that the device had received when it was last seen. */
  readonly inputSeq: number;
  /** The same picture was seen again. */
  seenAgain(inputSeq: number): void;
  /**
   * The smallest area that holds everything in which a later picture is different; all of it for another display or size.
   * @param without areas that are left out
   */
  differing(now: Sight, without?: readonly Rect[]): Rect | undefined;
}

/** Whether two pictures cannot be compared: the display turned, or is another one. */
export const isOtherScreen = (a: Sight, b: Sight): boolean =>
  a.width !== b.width || a.height !== b.height || a.orientation !== b.orientation || a.display !== b.display;
