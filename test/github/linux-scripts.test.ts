import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ScriptStage } from '../support/script-stage.ts';

function stageOf(t: Test): { stage: ScriptStage; device: string } {
  const stage = new ScriptStage();
  t.teardown(() => stage.remove());
  return { stage, device: join(stage.folder, 'kvm') };
}

t.test('every user may use KVM by a rule of udev', async (t) => {
  const { stage, device } = stageOf(t);
  writeFileSync(device, '');
  stage.program('sudo', 'if [ "$1" = tee ]; then cat >>"$CALLS"; fi');
  t.match(await stage.run('enable-kvm.sh', [device]), { code: 0, stderr: /^$/ });
  t.same(stage.calls, [
    'sudo tee /etc/udev/rules.d/99-kvm-for-all.rules',
    'KERNEL=="kvm", GROUP="kvm", MODE="0666", OPTIONS+="static_node=kvm"',
    'sudo udevadm control --reload-rules',
    'sudo udevadm trigger --name-match=kvm',
  ]);
});

t.test('a machine without KVM is named as such, before anything is changed', async (t) => {
  const { stage, device } = stageOf(t);
  stage.program('sudo');
  const { code, stderr } = await stage.run('enable-kvm.sh', [device]);
  t.equal(code, 1);
  t.match(stderr, `::error::This machine has no KVM: ${device} is missing.`);
  t.same(stage.calls, []);
});

t.test('a rule that cannot be made or does not help is a failure', async (t) => {
  const { stage, device } = stageOf(t);
  const run = () => {
    writeFileSync(device, '');
    return stage.run('enable-kvm.sh', [device], { UDEV_SECONDS: '0' });
  };
  stage.program('sudo', '! [ "$1" = tee ]');
  t.match(await run(), { code: 1, stderr: /99-kvm-for-all\.rules could not be written/ });
  stage.program('sudo', 'cat >/dev/null; ! [ "$3" = --reload-rules ]');
  t.match(await run(), { code: 1, stderr: /udev did not read its rules/ });
  // Root may use any device but one that is gone.
  stage.program('sudo', `cat >/dev/null; if [ "$2" = trigger ]; then rm '${device}'; fi`);
  t.match(await run(), { code: 1, stderr: /This user may not use .*kvm, in spite of/ });
});

/** A machine where only some programs are, and the user is root or is not. */
function stageWithout(t: Test, uid: number, present: readonly string[]): ScriptStage {
  const { stage } = stageOf(t);
  for (const name of ['bash', 'env', 'dirname']) symlinkSync(`/usr/bin/${name}`, join(stage.folder, name));
  for (const name of present) stage.program(name);
  return stage.program('id', `echo ${uid}`).program('apt-get').program('sudo', '"$@"');
}

const install = (stage: ScriptStage) => stage.run('install-test-programs.sh', [], { PATH: stage.folder });

t.test('programs that are missing are installed, by `sudo` where the user is not root', async (t) => {
  for (const uid of [0, 1001]) {
    const stage = stageWithout(t, uid, ['adb', 'chromium']);
    t.match(await install(stage), { code: 0, stderr: /^$/ });
    const calls = stage.calls.filter((call) => call.startsWith('apt-get'));
    t.same(calls, [
      'apt-get update -qq',
      'apt-get install -y -qq --no-install-recommends ffmpeg aapt python3 nats-server spin postgresql gcc libc6-dev',
      'apt-get install -y -qq --no-install-recommends chromium-headless-shell',
    ]);
    t.equal(stage.calls.filter((call) => call.startsWith('sudo')).length, uid === 0 ? 0 : 3);
  }
});

const ALL = ['chromium', 'ffmpeg', 'adb', 'aapt', 'python3', 'nats-server', 'spin', 'pg_ctlcluster', 'gcc'];

t.test('where all programs are, nothing is fetched', async (t) => {
  const stage = stageWithout(t, 0, [...ALL, 'chromium-headless-shell']);
  t.match(await install(stage), { code: 0, stderr: /^$/ });
  t.same(stage.calls, []);
});

t.test('where the browser without windows cannot be had, the tests use the other one', async (t) => {
  for (const answer of ['[ "$1" = update ]', 'exit 100']) {
    const stage = stageWithout(t, 0, ALL).program('apt-get', answer);
    t.match(await install(stage), { code: 0, stdout: /There is no chromium-headless-shell here/ });
    t.same(
      stage.calls.filter((call) => call.startsWith('apt-get')),
      ['apt-get update -qq', 'apt-get install -y -qq --no-install-recommends chromium-headless-shell'],
    );
  }
});

t.test('packages that cannot be had are a failure that names them', async (t) => {
  const stage = stageWithout(
    t,
    0,
    ALL.filter((name) => name !== 'aapt'),
  ).program('apt-get', '[ "$1" = update ]');
  t.match(await install(stage), { code: 1, stderr: /::error::Packages could not be installed: aapt/ });
  stage.program('apt-get', 'exit 100');
  t.match(await install(stage), { code: 1, stderr: /The lists of packages could not be fetched/ });
});
