import { PassThrough } from 'node:stream';
import t from 'tap';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { readLines, startLongTool } from '../../../server/drivers/process/long-tool.ts';
import { plainLine } from '../../../server/drivers/process/plain-line.ts';

const tools = { PATH: '/usr/bin:/bin' };

t.test('a program that stays tells its lines, and is gone when it is ended', async (t) => {
  const lines: string[] = [];
  const heard = new Promise<void>((resolve) => {
    const tool = startLongTool('/bin/sh', ['-c', 'echo one; echo two >&2; sleep 30'], {
      tools,
      onLine: (line) => {
        lines.push(line);
        if (lines.length === 2) void tool.end().then(resolve);
      },
    });
  });
  await heard;
  t.same(lines.sort(), ['one', 'two']);
  t.equal(runningChildren(), 0);
});

t.test('a tool that ends by itself is reported with the end of its output in plain characters', async (t) => {
  const tool = startLongTool('/bin/sh', ['-c', "printf 'no \\033[31mimage\\n'; exit 4"], { tools });
  t.equal(await tool.ended, '`sh` ended with exit code 4; it said: no [31mimage.');
  const absent = startLongTool('/nowhere/emulator', [], { tools });
  t.match(await absent.ended, /`emulator` cannot be started/);
  await absent.end();
});

t.test('a line without end is cut, and the next one is read', async (t) => {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  for (let count = 0; count < 100; count++) stream.write('x'.repeat(1_000));
  stream.end('\nnext\r\nlast');
  await new Promise((resolve) => stream.on('end', resolve));
  t.same([lines[0]?.length, ...lines.slice(1)], [4_096, 'next', 'last']);
});

t.test('the output of a device becomes one short line of visible characters', async (t) => {
  t.equal(plainLine('a\n\u001b[31mb\u0000\tc\u202e'), 'a [31mb c');
  t.equal(plainLine('x'.repeat(1_000_000)).length, 200);
  t.equal(plainLine(`${'x'.repeat(198)}😀😀`), `${'x'.repeat(198)}…`, 'no half of a character is left');
  t.equal(plainLine('\n\n'), '');
});
