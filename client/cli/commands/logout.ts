import { RunCloudError } from '../../sdk/error.ts';
import type { OutputOptions } from '../cli.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { type Define, leaf } from '../leaf.ts';
import { done } from '../terminal/line.ts';

const ACTION = 'The tokens are deleted here. Also sign out the command line under "API keys" in the dashboard.';

export const define: Define = (command, cli) =>
  leaf(command, ['logout']).action(async (options: OutputOptions) => {
    const wasSignedIn = await cli.signIn.end().catch((error: unknown) => {
      if (!(error instanceof RunCloudError)) throw error;
      const { error: told, ...envelope } = error.toJSON() as { error: object };
      throw new CommandFailure({ ...envelope, error: { ...told, retryable: false, action: ACTION } }, EXIT.failed);
    });
    const sentence = wasSignedIn ? `Signed out of ${cli.baseUrl}` : `You were not signed in to ${cli.baseUrl}`;
    cli.print(options, { ok: true, wasSignedIn }, [sentence], () => [done(`${sentence}.`)]);
  });
