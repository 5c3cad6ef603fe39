import { PLATFORMS } from '@runcloud/protocol/terms';

interface Parameter {
  readonly description: string;
  readonly schema: object;
}

const text = (description: string, example: string): Parameter => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** What the reference says of the parameters in paths, and of signed credentials in queries. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  platform: { description: "The session's platform", schema: { type: 'string', enum: PLATFORMS } },
  sessionId: text('Id of the session', 'ses_4kZ1bQx7RmT9vLs2WcHn0e'),
  requestId: text('Id of the request', 'tap-1'),
  recordingId: text('Id of the recording', 'rec_4kZ1bQx7RmT9vLs2WcHn0e'),
  assetId: text('Id of the app', 'ast_4kZ1bQx7RmT9vLs2WcHn0e'),
  snapshotName: text('Name of the snapshot', 'signed-in'),
  linkId: text('Id of the link', 'lnk_4kZ1bQx7RmT9vLs2WcHn0e'),
  keyId: text('Id of the key', 'key_4kZ1bQx7RmT9vLs2WcHn0e'),
  tokenId: text("Id of the program's sign-in", 'tok_4kZ1bQx7RmT9vLs2WcHn0e'),
  userCode: text('The code that the program shows', 'BCDF-GHJK'),
  reference: text('Signed by the service; a download redirects to it', '...'),
};
