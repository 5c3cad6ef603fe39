import t from 'tap';
import { readLook, withLook } from '../../../client/embed/look.ts';

const URL = 'http://127.0.0.1:8787/view/ses_1?token=secret';
const PLAIN = { toolbar: true, frame: true, theme: 'auto', scale: 'fit' } as const;

t.test('an address without a look has the usual one', (t) => {
  t.same(readLook(''), PLAIN);
  t.equal(withLook(URL, {}), URL);
  t.equal(withLook(URL, { ...PLAIN, theme: undefined }), URL, 'and the usual look leaves the address as it is');
  t.end();
});

t.test('a look goes there and back by the fragment of the address', (t) => {
  for (const look of [
    { toolbar: false, frame: false, theme: 'dark', scale: 0.5 },
    { ...PLAIN, theme: 'light' },
    { ...PLAIN, frame: false, scale: 2 },
  ] as const) {
    const address = withLook(URL, look);
    t.ok(address.startsWith(`${URL}#`));
    t.same(readLook(address.slice(URL.length)), look);
  }
  t.end();
});

t.test('what is absent stays as the address, or else the attributes, have it', (t) => {
  const dark = withLook(URL, { theme: 'dark' });
  t.equal(withLook(dark, { toolbar: false }), `${URL}#toolbar=off&theme=dark`);
  t.equal(withLook(dark, { theme: 'auto' }), URL);
  t.equal(withLook(dark, { frame: false }, { theme: 'light', scale: '1' }), `${URL}#frame=off&theme=light&scale=1`);
  t.end();
});

t.test('a look that nobody knows is the usual one', (t) => {
  t.same(readLook('#theme=pink&scale=huge&toolbar=yes&sound=on'), PLAIN);
  t.equal(readLook('#scale=1000').scale, 4);
  t.equal(readLook('#scale=-1').scale, 'fit');
  t.end();
});
