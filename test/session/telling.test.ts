import t from 'tap';
import { openSessions } from '../support/session-arena.ts';

t.test(
  'hundreds of sockets are told of an event in many turns of the event loop, each once and in order',
  async (t) => {
    const arena = openSessions(t);
    const { record } = await arena.create();
    const session = arena.live(record.id);
    const told: number[] = [];
    const sockets = Array.from({ length: 300 }, (_, number) => ({
      id: `con_${number}`,
      role: 'view' as const,
      bearer: { name: 'lnk_1', kind: 'viewer link' as const },
      tell: () => void told.push(number),
      end: () => undefined,
    }));
    for (const socket of sockets) session.connect(socket);
    const telling = session.tellInTurns({ type: 'event', event: 'viewers', viewers: session.viewers });
    t.ok(told.length > 0 && told.length <= 16, `${told.length} at once`);
    for (let before = told.length; told.length < sockets.length; before = told.length) {
      await new Promise(setImmediate);
      if (told.length - before > 16) t.fail(`${told.length - before} in one turn`);
    }
    await telling;
    t.same(told, [...sockets.keys()]);
  },
);
