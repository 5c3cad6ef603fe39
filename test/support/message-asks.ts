import type { ClientMessage, RecordingRecord } from '@runcloud/protocol';
import { type Answered, type Ask, type Asked, answeredByResult, DONE, isReady } from './asks.ts';
import { ControlClient } from './control-client.ts';
import { ScreenWatcher } from './screen-watcher.ts';

const POINTS = [{ x: 0.5, y: 0.5 }];

let asked = 0;

/** Every message that a client may send, as `prepareRoutes` prepares routes. A type without a row does not compile. */
export async function prepareMessages({ rest }: Asked): Promise<Record<ClientMessage['type'], readonly Ask[]>> {
  const { url, authorization } = rest;
  const [session, recorded] = [await rest.createSession('ios'), await rest.createSession('ios')];
  const client = await ControlClient.connect(url, session, authorization);
  const recorder = await ControlClient.connect(url, recorded, authorization);
  const guest = await ControlClient.connectWithToken(url, recorded, url);
  const newId = () => `ask-${++asked}`;
  const ask =
    (type: ClientMessage['type'], fields: Readonly<Record<string, unknown>> = {}, by = client) =>
    async (): Promise<Answered> => {
      const requestId = newId();
      by.send({ type, requestId, ...fields });
      return answeredByResult(await by.result(requestId));
    };
  const idOf = ({ body }: Answered) => (body.recording as RecordingRecord).id;
  const recordingId = idOf(await ask('recording.start', {}, recorder)());
  /** With a socket of its own, which is sent pictures. */
  const watching = (use: (watcher: ScreenWatcher, streamId: unknown) => Promise<void>) => async () => {
    const watcher = await ScreenWatcher.connect(url, session, { authorization });
    try {
      watcher.send({ type: 'screen.start', encodings: ['jpeg'] });
      await watcher.until('a picture came', () => watcher.packets.length > 0);
      await use(watcher, watcher.message('screen.started')?.streamId);
      return DONE;
    } finally {
      watcher.close();
    }
  };
  const pong = async (watcher: ScreenWatcher) => {
    const id = ++asked;
    watcher.send({ type: 'ping', id });
    await watcher.until('a pong came', () => watcher.message('pong')?.id === id);
  };
  /** About a guest who waits, one decision at a time. */
  let decided: Promise<unknown> = Promise.resolve();
  const decide = (type: 'control.grant' | 'control.deny') => async () => {
    const decision = decided.then(async () => {
      await ask('control.take', {}, recorder)();
      const { body } = await ask('control.request', {}, guest)();
      const { id: participant } = body.participant as { id: string };
      return ask(type, { participant }, recorder)();
    });
    decided = decision.catch(() => undefined);
    return decision;
  };
  return {
    interaction: [{ name: 'message interaction', ask: ask('interaction', { action: 'tap', ...POINTS[0] }) }],
    pointer: [
      {
        name: 'message pointer',
        ask: async () => {
          const requestId = newId();
          for (const phase of ['begin', 'move', 'end'])
            client.send({ type: 'pointer', requestId, phase, points: POINTS });
          return answeredByResult(await client.result(requestId));
        },
      },
    ],
    cancel: [
      {
        name: 'message cancel',
        ask: async () => {
          const requestId = newId();
          const [from, to] = [POINTS[0], { x: 0.5, y: 0.6 }];
          client.send({ type: 'interaction', requestId, action: 'swipe', from, to, durationMs: 30_000 });
          client.send({ type: 'cancel', requestId });
          const { status } = await client.result(requestId);
          return status === 'cancelled' ? DONE : { ...DONE, status: 500 };
        },
      },
    ],
    screenshot: [{ name: 'message screenshot', ask: ask('screenshot') }],
    ui: [{ name: 'message ui', ask: ask('ui') }],
    'ui.check': [{ name: 'message ui.check', ask: ask('ui.check', { target: { role: 'button' } }) }],
    'ui.wait': [{ name: 'message ui.wait', ask: ask('ui.wait', { target: { text: 'asked' }, not: true }) }],
    'clipboard.get': [{ name: 'message clipboard.get', ask: ask('clipboard.get') }],
    'clipboard.set': [{ name: 'message clipboard.set', ask: ask('clipboard.set', { text: 'asked' }) }],
    'control.request': [{ name: 'message control.request', ask: ask('control.request') }],
    'control.take': [{ name: 'message control.take', ask: ask('control.take') }],
    'control.release': [{ name: 'message control.release', ask: ask('control.release') }],
    'control.grant': [{ name: 'message control.grant', ask: decide('control.grant') }],
    'control.deny': [{ name: 'message control.deny', ask: decide('control.deny') }],
    'open-url': [{ name: 'message open-url', ask: ask('open-url', { url: 'https://a.example' }) }],
    'history.list': [{ name: 'message history.list', ask: ask('history.list') }],
    'recording.stop': [
      {
        name: 'message recording.stop',
        ask: ask('recording.stop', { recordingId }, recorder),
        isKept: (store) => isReady(store, recordingId),
      },
    ],
    'recording.start': [
      {
        name: 'message recording.start',
        ask: ask('recording.start'),
        isKept: (store, body) => store.recordings.get((body.recording as RecordingRecord).id) !== undefined,
      },
    ],
    'recording.get': [{ name: 'message recording.get', ask: ask('recording.get', { recordingId }, recorder) }],
    'recording.list': [{ name: 'message recording.list', ask: ask('recording.list') }],
    'screen.start': [{ name: 'message screen.start', ask: watching(async () => undefined) }],
    // Nothing answers it but the next picture, which a still screen does not send: what is behind it is answered.
    'screen.ack': [{ name: 'message screen.ack', ask: watching(pong) }],
    'screen.keyframe': [
      {
        name: 'message screen.keyframe',
        ask: watching(async (watcher, streamId) => {
          const before = watcher.packets.length;
          watcher.send({ type: 'screen.keyframe', streamId });
          await watcher.until('another picture came', () => watcher.packets.length > before);
        }),
      },
    ],
    'screen.stop': [
      {
        name: 'message screen.stop',
        ask: watching(async (watcher, streamId) => {
          watcher.send({ type: 'screen.stop', streamId });
          await watcher.until('it stopped', () => watcher.message('screen.stopped') !== undefined);
        }),
      },
    ],
    ping: [
      {
        name: 'message ping',
        ask: async () => {
          const id = ++asked;
          client.send({ type: 'ping', id });
          await client.next('pong', (message) => message.id === id);
          return DONE;
        },
      },
    ],
  };
}
