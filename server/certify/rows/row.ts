import type { Capabilities } from '../../../client/sdk/index.ts';
import type { Subject } from '../subject.ts';

/** The device turns out to lack what the row is about, which its capabilities do not tell. */
export class NotOffered extends Error {}

/** One line of a certificate. */
export interface Row {
  /** Stable, for programs. */
  readonly id: string;
  readonly title: string;
  /** Whether the device claims to be able to; a row without it is tried on each one. */
  readonly needs?: (can: Capabilities) => boolean;
  /** Judges by pictures what came of it; resolves with the evidence in words, rejects with what is wrong, or with `NotOffered`. */
  prove(subject: Subject): Promise<string>;
}

/** Most rows are seen on a card, which only a URL brings to the front. */
export const onCard =
  (needs: (can: Capabilities) => boolean = () => true) =>
  (can: Capabilities): boolean =>
    can.openUrl && needs(can);
