import t from 'tap';
import { ControlArena } from '../support/control-histories.ts';

/** Each service is used for a part of a day, which is as long as a session lives. */
const SERVICES = 5;
const HISTORIES_OF_EACH = 400;

t.test('who has control is linearizable over sockets and REST, in two thousand histories', async (t) => {
  let operations = 0;
  const unexplained: number[] = [];
  for (let service = 1; service <= SERVICES; service++) {
    const arena = await ControlArena.open();
    for (let count = 0; count < HISTORIES_OF_EACH; count++) {
      const seed = service * 1_000 + count;
      const history = await arena.run(seed);
      operations += history.length;
      if (!arena.isLinearizable(history)) unexplained.push(seed);
    }
    await arena.close();
  }
  t.comment(`${operations} operations`);
  t.same(unexplained, []);
});
