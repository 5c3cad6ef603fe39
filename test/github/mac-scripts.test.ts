import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { HELPER_REMEDY, HELPERS } from '../../server/drivers/ios/find-helper.ts';
import { ScriptStage } from '../support/script-stage.ts';

function stageOf(t: Test): ScriptStage {
  const stage = new ScriptStage();
  t.teardown(() => stage.remove());
  return stage;
}

function withXcodes(stage: ScriptStage, names: readonly string[]): string {
  const folder = join(stage.folder, 'Applications');
  for (const name of names) mkdirSync(join(folder, name, 'Contents', 'Developer'), { recursive: true });
  return folder;
}

const XCODES = ['Xcode_16.4.app', 'Xcode_26.9.app', 'Xcode_26.10.app', 'Xcode_26.10.1.app', 'Xcode_27_beta_3.app'];

t.test('the newest Xcode of a major version is selected', async (t) => {
  const stage = stageOf(t).program('sudo').program('xcodebuild');
  const folder = withXcodes(stage, XCODES);
  t.match(await stage.run('select-xcode.sh', ['26', folder]), { code: 0, stderr: /^$/ });
  t.same(stage.calls, [
    `sudo xcode-select --switch ${folder}/Xcode_26.10.1.app/Contents/Developer`,
    'xcodebuild -version',
  ]);
});

t.test('an Xcode that is missing, cannot be selected or does not run is named', async (t) => {
  const stage = stageOf(t);
  const folder = withXcodes(stage, XCODES);
  stage.program('sudo').program('xcodebuild');
  const { code, stderr } = await stage.run('select-xcode.sh', ['15', folder]);
  t.equal(code, 1);
  t.match(stderr, `::error::No Xcode 15 is installed in ${folder}: Xcode_16.4.app `, 'and those that are there');
  t.same(stage.calls, []);

  stage.program('xcodebuild', 'exit 69');
  t.match(await stage.run('select-xcode.sh', ['16', folder]), { code: 1, stderr: /Xcode_16\.4\.app does not run/ });
  stage.program('sudo', 'exit 1');
  t.match(await stage.run('select-xcode.sh', ['16', folder]), { code: 1, stderr: /4\.app could not be selected/ });
});

t.test('each helper that the service knows is installed as the service advises', async (t) => {
  for (const helper of HELPERS) {
    const stage = stageOf(t);
    // An installed program is in PATH.
    const install = `: > '${stage.folder}/${helper}'; chmod +x '${stage.folder}/${helper}'`;
    stage.program('npm', install).program('brew', install);
    t.match(await stage.run('install-simulator-helper.sh', [helper]), { code: 0, stderr: /^$/ }, helper);
    const [call = '', ...others] = stage.calls;
    t.ok(HELPER_REMEDY.includes(`\`${call}\``), call);
    t.same(others, []);
  }
});

t.test('a helper that is unknown, cannot be installed or is not found is named', async (t) => {
  const stage = stageOf(t).program('npm', 'exit 1').program('brew');
  const install = (helper: string) => stage.run('install-simulator-helper.sh', [helper]);
  t.match(await install('serve-sim'), { code: 1, stderr: /::error::serve-sim could not be installed/ });
  t.match(await install('idb_companion'), { code: 1, stderr: /idb_companion is installed, but not in PATH/ });
  t.match(await install('xcrun'), { code: 1, stderr: /There is no helper xcrun/ });
});

t.test('scripts for a Mac use nothing that its bash 3.2 lacks', async (t) => {
  for (const name of ['common', 'start-service', 'select-xcode', 'install-simulator-helper', 'create-simulator']) {
    const text = readFileSync(`.github/scripts/${name}.sh`, 'utf8');
    t.notMatch(text, /\b(mapfile|readarray|declare -[An]|local -n|coproc|timeout)\b|\$\{\w+(\^|,|@)|&>>|\|&/, name);
  }
});
