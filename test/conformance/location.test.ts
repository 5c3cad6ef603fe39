import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultOf } from '@runcloud/protocol';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const BERLIN = { latitude: 52.520_008, longitude: 13.404_954 };
/** Small, negative, and on the edges of the map. */
const PLACES = [BERLIN, { latitude: -33.856_784, longitude: 151.215_297 }, { latitude: 90, longitude: -180 }];

type Told = ResultOf<'readLocation'>;
const placeOf = (app: Readonly<Record<string, unknown>>) => (app.location ?? { latitude: 0 }) as { latitude: number };

const whereIs = async (subject: Subject): Promise<object> => ((await subject.app()).location as object) ?? {};

/** A request that the device has to refuse. */
const refused = async (subject: Subject, fields: object) =>
  subject.ask({ action: 'setLocation', requestId: `no-${Math.random()}`, ...BERLIN, ...fields });

conform([
  {
    title: 'the location is set, told, seen, and put back',
    needs: ({ actions }) => actions.includes('setLocation'),
    async prove(t, subject) {
      const isTold = subject.platform === 'android' || subject.stage.driver.name === 'virtual';
      await subject.open('settings');
      const before = await whereIs(subject);
      const picture = await subject.stillPicture();
      for (const place of PLACES) {
        const { result } = await subject.do({ action: 'setLocation', ...place });
        t.match(result, { location: place, readBack: isTold });
        t.match(await whereIs(subject), place);
      }
      t.not(Buffer.compare(await subject.stillPicture(), picture), 0, 'it is on the screen');
      const { result } = await subject.do({ action: 'clearLocation' });
      t.same(await whereIs(subject), before);
      t.equal(result?.readBack, isTold);
      if (isTold) t.same(result?.location ?? {}, before);
      await subject.do({ action: 'clearLocation' });
      t.same(await whereIs(subject), before, 'and once more');
    },
  },
  {
    title:
      'a route is followed, told and seen as it goes, and ends at its end, or where the location is set or cleared',
    needs: ({ actions }) => actions.includes('followRoute'),
    async prove(t, subject) {
      const isTold = subject.platform === 'android' || subject.stage.driver.name === 'virtual';
      await subject.open('settings');
      const before = await whereIs(subject);
      const told = async () => (await subject.do({ action: 'readLocation' })).result as Told;
      t.notOk((await told()).route);
      // 111 m to the north, each degree of the meridian being as long.
      const end = { latitude: 52.001, longitude: 13 };
      const points = [{ latitude: 52, longitude: 13 }, end];
      const { result } = await subject.do({ action: 'followRoute', points, speedMPerS: 50 });
      t.match(result, {
        location: points[0],
        readBack: isTold,
        route: { state: 'moving', doneM: 0, lengthM: 111.2, speedMPerS: 50 },
      });
      const seen: Told[] = [];
      const pictures = new Set<string>();
      for (let tries = 0; tries < 300 && seen.at(-1)?.route?.state !== 'arrived'; tries++) {
        pictures.add(Buffer.from(await subject.transport.screenshot()).toString('base64'));
        seen.push(await told());
        await sleep(20);
      }
      t.match(seen.at(-1), { location: end, route: { state: 'arrived', doneM: 111.2 } });
      const between = seen.filter(({ route }) => route && route.doneM > 0 && route.doneM < 111);
      t.ok(between.length > 0, 'it is told on its way');
      for (const { location, route } of between) {
        t.equal(location?.longitude, 13);
        const northM = ((location?.latitude ?? 0) - 52) * 111_195;
        t.ok(Math.abs(northM - (route?.doneM ?? 0)) < 60, `${northM} m north, and ${route?.doneM} m done`);
      }
      t.ok(pictures.size > 2, 'the screen shows it move');
      await subject.until('the device is there', ({ app }) => Math.abs(placeOf(app).latitude - end.latitude) < 1e-6);

      await subject.do({ action: 'followRoute', points, speedMPerS: 1 });
      t.match((await subject.do({ action: 'setLocation', ...BERLIN })).result, { location: BERLIN });
      t.notOk((await told()).route, 'the place that is set ends the route');
      await sleep(1_200);
      t.match(await whereIs(subject), BERLIN, 'and stays');
      if (subject.can.actions.includes('resetDevice')) {
        await subject.do({ action: 'followRoute', points, speedMPerS: 1 });
        await subject.do({ action: 'resetDevice' });
        t.notOk((await told()).route, 'so does a reset');
        await subject.open('settings');
      }
      await subject.do({ action: 'followRoute', points, speedMPerS: 1 });
      await subject.do({ action: 'clearLocation' });
      await sleep(1_200);
      t.notOk((await told()).route);
      t.same(await whereIs(subject), before);
    },
  },
  {
    title: 'an altitude and an accuracy are set, or named as what the device lacks, and then nothing is',
    needs: ({ actions }) => actions.includes('setLocation'),
    async prove(t, subject) {
      const { name } = subject.stage.driver;
      const lacks = name === 'virtual' ? [] : name.startsWith('ios') ? ['altitudeM', 'accuracyM'] : ['accuracyM'];
      await subject.open('settings');
      const before = await whereIs(subject);
      for (const [field, value] of Object.entries({ altitudeM: -12.5, accuracyM: 3 })) {
        const { acknowledgement } = await refused(subject, { [field]: value });
        if (lacks.includes(field)) {
          t.match(acknowledgement, {
            status: 'failed',
            error: { code: 'unsupported_action', message: new RegExp(`"${field}" is not supported`) },
          });
          t.same(await whereIs(subject), before);
        } else {
          t.match(acknowledgement.result, { location: { ...BERLIN, [field]: value } });
          t.match(await whereIs(subject), { ...BERLIN, [field]: value });
          await subject.do({ action: 'clearLocation' });
        }
      }
    },
  },
]);
