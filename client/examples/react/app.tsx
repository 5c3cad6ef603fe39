import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { InteractionResult } from 'runcloud/embed';
import { SimulatorFrame, type SimulatorHandle } from 'runcloud/react';

function App() {
  const phone = useRef<SimulatorHandle>(null);
  const [url, setUrl] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [log, setLog] = useState<readonly string[]>([]);
  const say = (text: string) => setLog((lines) => [...lines, text]);

  useEffect(() => {
    const leaving = new AbortController();
    createLink(leaving.signal).then(setUrl, (error) => leaving.signal.aborted || setFault(String(error)));
    return () => leaving.abort();
  }, []);

  /** A call does not reject for a failure: its status tells. */
  function said(result: InteractionResult | undefined) {
    if (result?.status === 'completed') say(`${result.action} completed in ${result.timing.durationMs} ms`);
    else if (result) say(`${result.action} ${result.status}: ${result.error.message}`);
  }

  async function writeNote() {
    said(await phone.current?.tap(0.39, 0.92));
    said(await phone.current?.typeText('Hello from React'));
  }

  if (url === undefined) return <p role="status">{fault ?? 'Waiting for a phone…'}</p>;
  return (
    <>
      <SimulatorFrame
        ref={phone}
        src={url}
        onReady={({ platform }) => say(`ready ${platform}`)}
        onEvent={({ event }) => say(`event ${event}`)}
      />
      <main>
        <h1>A phone in React</h1>
        <button type="button" onClick={writeNote}>
          Write a note
        </button>
        <button type="button" onClick={async () => said(await phone.current?.pressButton('home'))}>
          Home
        </button>
        <ol aria-live="polite">
          {log.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end
            <li key={index}>{line}</li>
          ))}
        </ol>
      </main>
    </>
  );
}

/** The address of a viewer, from the server that has the key. */
async function createLink(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/link', { method: 'POST', signal });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).url;
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
