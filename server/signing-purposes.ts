import { KNOWN_BROWSER_PURPOSE } from './account/known-browsers.ts';
import { VIEWER_TOKEN_PURPOSE } from './account/viewer-tokens.ts';
import { RETRIEVAL_REFERENCE_PURPOSE } from './recording/retrieval-references.ts';

/** The signing secrets that can be rotated, each with what a rotation invalidates. */
export const SIGNING_PURPOSES = {
  [VIEWER_TOKEN_PURPOSE]: "sessions' addresses and viewer links; their sockets close",
  [RETRIEVAL_REFERENCE_PURPOSE]: 'the addresses behind downloads, which live for a minute',
  [KNOWN_BROWSER_PURPOSE]: 'the cookies that recognise browsers, which then sign in like new ones',
} as const;

export const signingPurposes = Object.keys(SIGNING_PURPOSES) as (keyof typeof SIGNING_PURPOSES)[];
