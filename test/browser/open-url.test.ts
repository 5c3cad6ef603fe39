import type { AssetRecord } from '@runcloud/protocol';
import t from 'tap';
import { difference, startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { IOS_ID, iosPackage } from '../support/ios-package.ts';
import { startServer } from '../support/server.ts';

/** A deep link into an uploaded app, from the request to the pixels: what iOS asks is answered by a click in the viewer. */

const URL = 'Demo://open/item%20one?a=$(id)&b=%0A#end';

interface Alert {
  readonly title: string;
  readonly buttons: readonly { readonly name: string; readonly area: Record<'x' | 'y' | 'width' | 'height', number> }[];
}

/** Pixels of the link's blue in a band of the picture, given in shares of its height. */
function blue(viewer: ViewerPage, from: number, to: number): Promise<number> {
  return viewer.page.locator('canvas').evaluate(
    (canvas: HTMLCanvasElement, { from, to }) => {
      const top = Math.floor(from * canvas.height);
      const height = Math.floor((to - from) * canvas.height);
      const data = canvas.getContext('2d')?.getImageData(0, top, canvas.width, height).data ?? [];
      let count = 0;
      for (let index = 0; index < data.length; index += 4) {
        const [red = 0, green = 0, blue = 0] = [data[index], data[index + 1], data[index + 2]];
        if (blue > 200 && red < 90 && green > 90 && green < 170) count += 1;
      }
      return count;
    },
    { from, to },
  );
}

t.test(
  'a deep link asks in the viewer, and a click there opens the app with it',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1' });
    t.teardown(() => server.close());
    const body = new Uint8Array(await iosPackage());
    const uploaded = await server.rest.fetch('/service/assets', { method: 'POST', body });
    const { id } = (await uploaded.json()) as AssetRecord;
    const session = await server.rest.createSession('ios', { installAssets: [id] });
    const open = (url: string) => server.rest.call('POST', `/service/ios/${session.id}/open-url`, { url });
    const seen = () => server.inspect('ios', session.id);
    const viewer = await ViewerPage.open(await startBrowser(t), session);
    const home = await viewer.until(() => true, 'the home screen to stand still');

    /** Clicks a button of the alert where a person sees it. */
    const click = async (name: string) => {
      const alert = (await seen()).app.alert as Alert;
      const area = alert.buttons.find((button) => button.name === name)?.area ?? { x: 0, y: 0, width: 0, height: 0 };
      await viewer.click((area.x + area.width / 2) / 590, (area.y + area.height / 2) / 1280);
      return alert.title;
    };

    t.match(await open(URL), { status: 200, body: { ok: true, url: URL } }, 'acknowledged before anybody was asked');
    const asked = await viewer.changed(home, 5);
    t.equal((await seen()).foreground, 'home', 'no app came to the front by itself');
    t.ok((await blue(viewer, 0.5, 0.56)) > 100, 'the alert shows its blue buttons in the middle of the screen');

    t.equal(await click('Cancel'), 'Open in “Demo”?');
    await viewer.until((now) => difference(now, home) < 1, 'the alert to go');
    t.equal((await seen()).foreground, 'home', 'what was not let pass is dropped');

    await open(URL);
    await viewer.until((now) => difference(now, asked) < 2, 'the alert to come again');
    await click('Open');
    const opened = await viewer.until((now) => difference(now, asked) > 5 && difference(now, home) > 5, 'the app');
    t.match(
      await seen(),
      { foreground: IOS_ID, app: { url: URL, alert: undefined } },
      'the app has the URL to the letter',
    );
    // Thin letters: a JPEG has one colour for four pixels, which makes some of theirs paler.
    t.ok((await blue(viewer, 0.1, 0.3)) > 100, 'and shows it');

    await open('demo://second');
    await viewer.changed(opened);
    t.match(await seen(), { app: { url: 'demo://second', alert: undefined } }, 'the answer is remembered');
    t.same(viewer.faults, []);
  },
);
