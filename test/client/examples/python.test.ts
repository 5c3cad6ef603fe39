import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { execute } from '../../support/built-package.ts';
import { complaints, probe } from '../../support/mp4-judges.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

/** The client in Python, which shares no line with this project: its own WebSocket, MessagePack and messages. */

const EXAMPLES = resolve('client/examples/python');
const absent = (program: string, argument: string) => spawnSync(program, [argument]).error !== undefined;
const withoutPython = absent('python3', '--version') && 'python3 is absent';
const withoutFfmpeg = absent('ffmpeg', '-version');

/** Runs Python with every warning an error, such as a task that nobody waited for. */
const python = (args: readonly string[], cwd: string, env: object = {}) =>
  execute('python3', ['-W', 'error', '-B', ...args], { cwd, env });

t.test('it drives a phone of each platform', { skip: withoutPython }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
  for (const [platform, model, size] of [
    ['ios', 'Virtual iPhone', [295, 640]],
    ['android', 'Virtual Android', [288, 640]],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'runcloud-python-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const { stdout, stderr } = await python([join(EXAMPLES, 'example.py'), platform], folder, env);
    t.equal(stderr, '');
    t.strictSame(stdout.split('\n'), [
      `session active ${model}`,
      'ready control',
      'tap completed accepted dispatched result',
      'swipe cancelled interaction_cancelled',
      'pointer completed',
      `picture jpeg ${size.join('x')} key`,
      'refused invalid_interaction',
      'recorded True',
      'ended requested',
      'closed active_session_not_found',
      '',
    ]);
    t.same(readdirSync(folder).sort(), ['recording.mp4', 'screen.jpg']);
    const { format, width, height } = await sharp(join(folder, 'screen.jpg')).metadata();
    t.same([format, width, height], ['jpeg', ...size]);
    if (withoutFfmpeg) continue;
    const film = join(folder, 'recording.mp4');
    t.equal(await complaints(film), '');
    // A busy machine records fewer pictures of each movement, but what came of each input.
    const { packets } = await probe(film);
    t.ok(packets.length > 3, `${packets.length} pictures: the tap, the swipe and the finger are in it`);
  }
});

t.test(
  'a wrong key is refused by name, and what waits when the session ends fails',
  { skip: withoutPython },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const program = `
import asyncio, os, sys
sys.path.insert(0, ${JSON.stringify(EXAMPLES)})
from runcloud import Control, Failed, Service

async def main():
    url = os.environ["RUNCLOUD_BASE_URL"]
    try:
        await Service(url, "rck_wrong").create_session("ios")
    except Failed as failure:
        print(failure.code, failure.retryable)
    service = Service(url, os.environ["RUNCLOUD_API_KEY"])
    session = await service.create_session("ios")
    try:
        await Control.open(Service(url, "rck_wrong"), session)
    except ConnectionError as error:
        print(error)
    control = await Control.open(service, session)
    slow = asyncio.create_task(control.interact("pressKey", key="a", durationMs=30_000))
    await asyncio.sleep(0.2)
    await service.release(session)
    try:
        await slow
    except Failed as failure:
        print(failure.code)
    while await control.events.get():
        pass
    try:
        await control.interact("tap", x=0, y=0)
    except Failed as failure:
        print(failure.code)

asyncio.run(main())
`;
    const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
    const { stdout, stderr } = await python(['-c', program], t.testdir({}), env);
    t.equal(stderr, '');
    t.match(stdout.split('\n'), [
      'authentication_required False',
      /^the server refuses the socket: HTTP\/1\.1 401 /,
      /^(?:interaction_cancelled|active_session_not_found)$/,
      'active_session_not_found',
      '',
    ]);
  },
);

t.test(
  'its MessagePack reads and writes the vectors that are kept for other languages',
  { skip: withoutPython },
  async (t) => {
    const program = `
import json, sys
sys.path.insert(0, ${JSON.stringify(EXAMPLES)})
import messagepack

def revive(value):
    return bytes.fromhex(value["$bytes"]) if "$bytes" in value else value

count = 0
for name in ("client-messages", "server-messages"):
    with open(f"test/vectors/{name}.json") as file:
        for vector in json.load(file, object_hook=revive)["vectors"]:
            data = bytes.fromhex(vector["hex"])
            assert messagepack.unpack(data) == vector["message"], vector["name"]
            assert messagepack.unpack(messagepack.pack(vector["message"])) == vector["message"], vector["name"]
            if name == "client-messages":
                assert messagepack.pack(vector["message"]) == data, vector["name"]
            count += 1
for number in (0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53, -1, -32, -33, -128, -129, -32769, -2**53):
    assert messagepack.unpack(messagepack.pack(number)) == number
for long in ("x" * 31, "x" * 32, "x" * 256, "x" * 65536, b"x" * 300, list(range(16)), list(range(70000)), {str(i): i for i in range(20)}):
    assert messagepack.unpack(messagepack.pack(long)) == long
for bad in (b"", b"\\xc1", b"\\x81", b"\\xa5ab", b"\\x01\\x01", b"\\xd4\\x01\\x02", b"\\xa1\\xff", b"\\xdd\\xff\\xff\\xff\\xff"):
    try:
        messagepack.unpack(bad)
    except ValueError:
        continue
    raise AssertionError(bad)
print(count)
`;
    const { stdout, stderr } = await python(['-c', program], '.');
    t.equal(stderr, '');
    const vectors = ['client', 'server'].flatMap(
      (side) => JSON.parse(readFileSync(`test/vectors/${side}-messages.json`, 'utf8')).vectors,
    );
    t.equal(Number(stdout), vectors.length);
  },
);
