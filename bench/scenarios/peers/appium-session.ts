import { join } from 'node:path';
import { PEERS_HOME } from '../../processes/peers.ts';
import type { ServerProcess } from '../../processes/server-process.ts';

const CREATE_MS_MAX = 20_000;
/** The app file that the fake driver displays. */
const APP = join(PEERS_HOME, 'app.xml');

/** Opens a session of Appium's fake driver and returns its id. Throws an error with Appium's message if that fails. */
export async function openAppiumSession({ host, port }: ServerProcess): Promise<string> {
  const alwaysMatch = {
    platformName: 'Fake',
    'appium:automationName': 'Fake',
    'appium:deviceName': 'Fake',
    'appium:app': APP,
    // A timeout would end a session that waits for its turn to be measured.
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
