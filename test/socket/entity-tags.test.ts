import t from 'tap';
import { namesTag, rangeStands } from '../../server/socket/entity-tags.ts';

const TAG = '"sha256-ab"';

t.test('If-None-Match names a tag by itself, in a list, weakly, or by a star', async (t) => {
  for (const header of [TAG, `W/${TAG}`, `"x", ${TAG}`, `"x",W/${TAG} ,"y"`, '*'])
    t.ok(namesTag(header, TAG), `${header}`);
  for (const header of [undefined, '', 'sha256-ab', '"sha256-a"', '"SHA256-AB"', `w/${TAG}`]) {
    t.notOk(namesTag(header, TAG), `${header}`);
  }
});

t.test('If-Range lets a range stand for exactly the same strong tag', async (t) => {
  for (const header of [undefined, TAG, ` ${TAG} `]) t.ok(rangeStands(header, TAG), `${header}`);
  for (const header of [`W/${TAG}`, '"x"', '*', `${TAG}, "x"`, 'Fri, 20 Nov 2026 22:00:00 GMT']) {
    t.notOk(rangeStands(header, TAG), `${header}`);
  }
});
