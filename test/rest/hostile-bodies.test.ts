import {
  type Checked,
  checkAcceptInvitation,
  checkCreateKey,
  checkCreateSession,
  checkCreateViewerLink,
  checkDecision,
  checkInteraction,
  checkLink,
  checkOpenUrl,
  checkSetPassword,
  checkSignIn,
  faultSentence,
} from '@runcloud/protocol';
import t from 'tap';
import { readJson } from '../../server/rest/strict-json.ts';
import { HostileFrames, jsonOf, type TreeMap, treeOf, VALID_MESSAGES } from '../support/hostile-frames.ts';

const BODIES = 4_000;

/** Every body that a route takes, with a valid one that has every field. */
const ROUTES: Readonly<Record<string, readonly [check: (body: unknown) => Checked<unknown>, valid: TreeMap]>> = {
  'create a session': [
    checkCreateSession,
    treeOf({
      platform: 'ios',
      deviceModel: 'm',
      osVersion: '1',
      orientation: 'portrait',
      inactivityTimeout: '90s',
      hardTimeout: '2h',
      installAssets: ['ast_1'],
      embedOrigins: ['https://a.example'],
      labels: { team: 'a', 'a/b': 'c' },
    }) as TreeMap,
  ],
  'make a viewer link': [
    checkCreateViewerLink,
    treeOf({ role: 'view', ttl: '1h', embedOrigin: 'https://a.example' }) as TreeMap,
  ],
  'make a key': [checkCreateKey, treeOf({ name: 'ci', ttl: '24h' }) as TreeMap],
  'set a password': [
    checkSetPassword,
    treeOf({ email: 'a@b.example', password: 'long enough', currentPassword: 'x' }) as TreeMap,
  ],
  'sign in': [checkSignIn, treeOf({ email: 'a@b.example', password: 'x' }) as TreeMap],
  'sign in by a link': [checkLink, treeOf({ token: 't' }) as TreeMap],
  'accept an invitation': [checkAcceptInvitation, treeOf({ token: 't', password: 'long enough' }) as TreeMap],
  decide: [checkDecision, treeOf({ decision: 'approve' }) as TreeMap],
  'open a URL': [checkOpenUrl, treeOf({ url: 'https://a.example/' }) as TreeMap],
  interact: [(body) => checkInteraction(body, () => 'r'), VALID_MESSAGES[2] as TreeMap],
};

for (const [name, [check, valid]] of Object.entries(ROUTES)) {
  t.test(`${name}: hostile names and values anywhere in a body make no exception`, async (t) => {
    const source = new HostileFrames(7);
    let read = 0;
    for (let index = 0; index < BODIES; index++) {
      const outcome = readJson(Buffer.from(jsonOf(source.mutant(valid))));
      if (!outcome.ok) continue;
      const checked = check(outcome.value);
      if (!checked.ok && faultSentence(checked.fault) === '') t.fail('a refusal without words');
      read++;
    }
    t.ok(read > BODIES / 2, `${read} were JSON`);
  });
}
