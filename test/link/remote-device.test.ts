import t from 'tap';
import { settled } from '../support/fake-clock.ts';
import { openScriptedHost } from '../support/scripted-host.ts';

const PROFILE = { encoding: 'png', quality: 70, maxFps: 30 } as const;

t.test(
  'a stream whose host goes before it has begun is told its end once, and one that was stopped is told nothing',
  async (t) => {
    const { device, pair } = await openScriptedHost();
    pair.hangHost();
    const told: string[] = [];
    const watch = (name: string) =>
      device.watch(PROFILE, { picture: () => undefined, ended: (reason) => void told.push(`${name}: ${reason}`) });
    watch('kept');
    watch('stopped').stop();
    await settled();
    pair.breakHost('exit code 3');
    await settled();
    t.strictSame(told, ['kept: exit code 3']);
    watch('late');
    t.equal(told.length, 1, 'not before its caller has it');
    await settled();
    t.strictSame(told.slice(1), ['late: exit code 3']);
  },
);
