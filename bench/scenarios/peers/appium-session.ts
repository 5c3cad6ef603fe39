import { join } from 'node:path';
import { PEERS_HOME } from '../../processes/peers.ts';
import type { ServerProcess } from '../../processes/server-process.ts';

const CREATE_MS_MAX = 20_000;
/** What the fake driver shows. */
const APP = join(PEERS_HOME, 'app.xml');

/** Opens one session of Appium's fake driver; its id. Throws, with what Appium said, when there is none. */
export async function openAppiumSession({ host, port }: ServerProcess): Promise<string> {
  const alwaysMatch = {
    platformName: 'Fake',
    'appium:automationName': 'Fake',
    'appium:deviceName': 'Fake',
    'appium:app': APP,
    // It would end a session that waits for its turn.
    'appium:newCommandTimeout': 0,
  };
  const response = await fetch(`http://${host}:${port}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ capabilities: { alwaysMatch, firstMatch: [{}] } }),
    signal: AbortSignal.timeout(CREATE_MS_MAX),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Appium opened no session: ${text}`);
  const { value } = JSON.parse(text) as { value: { sessionId: string } };
  return value.sessionId;
}
