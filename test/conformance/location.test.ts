import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const BERLIN = { latitude: 52.520_008, longitude: 13.404_954 };
/** Small, negative, and on the edges of the map. */
const PLACES = [BERLIN, { latitude: -33.856_784, longitude: 151.215_297 }, { latitude: 90, longitude: -180 }];

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
