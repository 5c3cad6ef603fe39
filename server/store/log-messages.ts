/** The messages between the store and the log thread. The thread answers orders one by one, in their order. */

/** Flush everything that is in the write-ahead log now to the disk. */
export type LogOrder = 'sync';

export type LogReport =
  /** The order is carried out. */
  | { readonly type: 'synced' }
  /** The disk has refused to keep what it was given; nothing that is written from now on can be promised. */
  | { readonly type: 'failed'; readonly reason: string }
  /** The log cannot be moved into the database's file now; it is tried again, and nothing is lost by waiting. */
  | { readonly type: 'held up'; readonly reason: string };
