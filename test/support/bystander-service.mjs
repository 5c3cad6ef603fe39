import { createServer } from 'node:http';

/**
 * A service that has nothing to do with the one under test, and takes half of one processor in pieces of a millisecond when
 * it is flooded: the share of another account's delay that sharing the machine's processors costs by itself.
 */
const BUSY_MS = 1;
const ANSWER = 'x'.repeat(60_000);
const waiting = [];

function work() {
  const answer = waiting.shift();
  if (!answer) return void setTimeout(work, BUSY_MS);
  const startMs = performance.now();
  while (performance.now() - startMs < BUSY_MS);
  answer.end(ANSWER);
  setTimeout(work, BUSY_MS);
}

const server = createServer((_, answer) => void waiting.push(answer));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`);
  work();
});
// It ends with the program that started it.
process.stdin.on('end', () => process.exit()).resume();
