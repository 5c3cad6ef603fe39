import { groupsAsFleet, groupsOf, groupsOverWs } from './groups.ts';
import { runGroups } from './run-groups.ts';
import { filesOf, SETS, type SetName } from './sets.ts';

const isSet = (name: string): name is SetName => (SETS as readonly string[]).includes(name);

const [set = '', ...options] = process.argv.slice(2);
if (isSet(set)) {
  const isLong = set === 'rest' || set === 'all';
  const groups = [...groupsOf(filesOf(set)), ...(isLong ? [...groupsOverWs(), ...groupsAsFleet()] : [])];
  process.exitCode = runGroups(set, groups, options);
} else {
  console.error(`There is no set of tests called "${set}"; there are ${SETS.join(', ')}.`);
  process.exitCode = 2;
}
