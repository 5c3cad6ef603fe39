import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { describeAvd, hasAvd } from '../../../../server/drivers/android/emulator/avd.ts';
import { distrustedFolders, runningEmulators } from '../../../../server/drivers/android/emulator/running-emulators.ts';

function hostFolder(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-running-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const running = join(folder, 'avd/running');
  mkdirSync(running, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(running, name), text);
  return { folder, running, write, found: () => runningEmulators({ XDG_RUNTIME_DIR: folder, HOME: folder }) };
}

const file = (port: number, more = '') =>
  `port.serial=${port}\nport.adb=${port + 1}\navd.name=Pixel 8\navd.id=Pixel_8\n${more}`;
const ALIVE = process.pid;
/** Beyond what Linux gives out. */
const DEAD = 99_999_999;

t.test('an emulator is known by the file of its process, and its token with it', async (t) => {
  const { write, found } = hostFolder(t);
  write(`pid_${ALIVE}.ini`, file(5_554, 'grpc.port=8554\ngrpc.token=abc==\nemulator.version=35.1\n'));
  t.strictSame(
    found().map(({ avd, consolePort, adbPort, grpcPort, grpcToken }) => [
      avd,
      consolePort,
      adbPort,
      grpcPort,
      grpcToken,
    ]),
    [['Pixel_8', 5_554, 5_555, 8_554, 'abc==']],
  );
});

t.test('where it takes keys is known where both paths are absolute', async (t) => {
  const { write, found } = hostFolder(t);
  write(`pid_${ALIVE}.ini`, file(5_554, 'grpc.port=8554\ngrpc.jwks=/run/1/jwks\ngrpc.jwk_active=/run/1/active.jwk\n'));
  t.match(found(), [{ grpcKeys: { folder: '/run/1/jwks', active: '/run/1/active.jwk' } }]);
  for (const keys of [
    'grpc.jwks=/run/1/jwks',
    'grpc.jwks=jwks\ngrpc.jwk_active=/a',
    'grpc.jwks=\ngrpc.jwk_active=\n',
  ]) {
    write(`pid_${ALIVE}.ini`, file(5_554, `grpc.port=8554\n${keys}\n`));
    t.notOk('grpcKeys' in (found()[0] ?? {}), keys);
  }
});

t.test('one without a control service is known as well', async (t) => {
  const { write, found } = hostFolder(t);
  write(`pid_${ALIVE}_info.ini`, file(5_556));
  t.match(found(), [{ consolePort: 5_556 }]);
  t.notOk('grpcPort' in (found()[0] ?? {}));
});

t.test('files of dead processes, other files, and senseless ones are passed over', async (t) => {
  const { write, found } = hostFolder(t);
  write(`pid_${DEAD}.ini`, file(5_554));
  write('pid_x.ini', file(5_554));
  write('other.ini', file(5_554));
  for (const text of ['', 'port.serial=x\nport.adb=5555\navd.id=a', 'port.serial=5554\navd.id=a', '\0'.repeat(1_000)]) {
    write(`pid_${ALIVE}.ini`, text);
    t.same(found(), []);
  }
  write(`pid_${ALIVE}.ini`, `${file(5_554)}${'x=y\n'.repeat(50_000)}`);
  t.same(found(), [], 'also one without end');
});

t.test('of two files for one port the newer one counts, and a host without the folder has none', async (t) => {
  const { write, found, running, folder } = hostFolder(t);
  write(`pid_${ALIVE}.ini`, file(5_554, 'grpc.port=1\n'));
  write(`pid_${ALIVE}_info.ini`, file(5_554, 'grpc.port=2\n'));
  utimesSync(join(running, `pid_${ALIVE}.ini`), 1, 1);
  t.match(found(), [{ grpcPort: 2 }]);
  rmSync(join(folder, 'avd'), { recursive: true });
  t.same(found(), []);
});

t.test(
  'a discovery file that other users could have written is ignored, whichever folder of its path is writable',
  async (t) => {
    const { write, found, running, folder } = hostFolder(t);
    const name = `pid_${ALIVE}.ini`;
    const tools = { XDG_RUNTIME_DIR: folder, HOME: folder };
    write(name, file(5_554, 'grpc.port=8554\n'));
    for (const path of [folder, join(folder, 'avd'), running]) {
      for (const mode of [0o777, 0o1777, 0o757]) {
        chmodSync(path, mode);
        t.strictSame([found(), distrustedFolders(tools)], [[], [running]], `${path} ${mode.toString(8)}`);
      }
      chmodSync(path, 0o755);
    }
    t.strictSame([found().length, distrustedFolders(tools)], [1, []]);
    chmodSync(join(running, name), 0o666);
    t.strictSame(found(), []);
  },
);

t.test(
  'a link or a pipe in the place of a file is passed over, and an own link to the folder is followed',
  async (t) => {
    const { write, found, running, folder } = hostFolder(t);
    const name = `pid_${ALIVE}.ini`;
    write('elsewhere', file(5_554));
    symlinkSync(join(running, 'elsewhere'), join(running, name));
    t.strictSame(found(), []);
    rmSync(join(running, name));
    execFileSync('mkfifo', [join(running, name)]);
    t.strictSame(found(), []);
    rmSync(join(running, name));
    write(name, file(5_554));
    renameSync(join(folder, 'avd'), join(folder, 'large'));
    symlinkSync(join(folder, 'large'), join(folder, 'avd'));
    t.match(found(), [{ consolePort: 5_554 }], 'of people who keep their AVDs on another disk');
  },
);

t.test('an AVD describes the device before it runs', async (t) => {
  const { folder } = hostFolder(t);
  const tools = { HOME: folder, ANDROID_AVD_HOME: join(folder, 'avds') };
  mkdirSync(join(folder, 'avds/Pixel.avd'), { recursive: true });
  writeFileSync(join(folder, 'avds/Pixel.ini'), `path=${join(folder, 'avds/Pixel.avd')}\n`);
  writeFileSync(
    join(folder, 'avds/Pixel.avd/config.ini'),
    'hw.lcd.width=1080\nhw.lcd.height = 2400\nhw.lcd.density=420\nimage.sysdir.1=system-images/android-34/google_apis/x86_64/\n',
  );
  t.ok(hasAvd('Pixel', tools));
  t.notOk(hasAvd('Other', tools));
  t.match(describeAvd('Pixel', tools), {
    width: 1_080,
    height: 2_400,
    scale: 2.625,
    osVersion: 'API 34',
    model: 'Pixel',
  });
  t.match(describeAvd('Other', tools), { osVersion: 'unknown', driver: 'android-emulator' });
});
