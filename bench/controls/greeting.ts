import { controlAnswer } from './control-process.ts';

/** The greeting of a bare server, and its answer to a message. */
export interface Greeting {
  /** Bytes of the service's own first message, in base64. */
  readonly ready: string;
  /** As many bytes as the service's first picture has. */
  readonly pictureBytes: number;
}

export function greeting(): { readonly ready: Uint8Array; readonly picture: Uint8Array } {
  const { ready, pictureBytes }: Greeting = JSON.parse(Buffer.from(controlAnswer()).toString());
  return { ready: new Uint8Array(Buffer.from(ready, 'base64')), picture: new Uint8Array(pictureBytes) };
}
