import t from 'tap';
import { refuseForeignPage } from '../../server/rest/own-page.ts';
import type { HeaderName } from '../../server/socket/http.ts';

const OWN = 'https://devices.example.com';

function refused(method: string, headers: Readonly<Partial<Record<HeaderName, string>>>): boolean {
  try {
    refuseForeignPage({ method, header: (name) => headers[name] }, OWN);
    return false;
  } catch (error) {
    t.match(error, { code: 'origin_not_allowed' });
    return true;
  }
}

t.test('every combination of method, site, origin and header', async (t) => {
  const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', ''];
  const origins = [
    undefined,
    OWN,
    'https://evil.example',
    'null',
    `${OWN}:443`,
    `${OWN}/`,
    'http://devices.example.com',
  ];
  const marks = [undefined, '1'];
  let allowed = 0;
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH']) {
    for (const site of sites) {
      for (const origin of origins) {
        for (const mark of marks) {
          const reads = method === 'GET' || method === 'HEAD';
          const fromHere = site === undefined || site === 'same-origin';
          const proved = reads ? origin === undefined || origin === OWN : origin === OWN && mark !== undefined;
          const headers = {
            ...(site === undefined ? {} : { 'sec-fetch-site': site }),
            ...(origin === undefined ? {} : { origin }),
            ...(mark === undefined ? {} : { 'x-runcloud-dashboard': mark }),
          };
          const isRefused = refused(method, headers);
          if (!isRefused) allowed++;
          t.equal(isRefused, !(fromHere && proved), `${method} ${site} ${origin} ${mark}`);
        }
      }
    }
  }
  t.equal(allowed, 2 * 2 * 2 * 2 + 4 * 2);
});
