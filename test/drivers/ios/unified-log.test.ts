import t from 'tap';
import { readUnifiedLine } from '../../../server/drivers/ios/unified-log.ts';

const message = (fields: object) =>
  JSON.stringify({
    ...{ eventType: 'logEvent', messageType: 'Default', eventMessage: 'hello', processID: 12 },
    ...{ timestamp: '2026-11-28 21:05:06.123456+0130', processImagePath: '/a b/Shop.app/Shop' },
    ...fields,
  });

t.test('a message is read in all of its parts', async (t) => {
  t.same(readUnifiedLine(message({ eventMessage: 'two\nlines \u001b[1m' })), {
    ...{ wallMs: Date.UTC(2026, 10, 28, 19, 35, 6, 123), level: 'info', process: 'Shop', pid: 12 },
    text: 'two\nlines \u001b[1m',
  });
  const levels = ['Debug', 'Info', 'Default', 'Error', 'Fault', 'Other'];
  t.same(
    levels.map((messageType) => readUnifiedLine(message({ messageType }))?.level),
    ['debug', 'info', 'info', 'error', 'fatal', 'info'],
  );
  t.match(readUnifiedLine(message({ eventType: 'lossEvent' })), { level: 'warning' });
  t.match(readUnifiedLine(message({ processImagePath: '', timestamp: 'then', processID: -1 })), {
    process: 'system',
    wallMs: 0,
  });
  t.equal(readUnifiedLine(message({ processID: 'x' }))?.pid, undefined);
});

t.test('what is no message is left out, and a message that was cut is told as it is', async (t) => {
  for (const other of [
    '',
    'Filtering the log data using "x"',
    message({ eventType: 'activityCreateEvent' }),
    message({ eventMessage: null }),
  ]) {
    t.equal(readUnifiedLine(other), undefined, other);
  }
  const cut = message({ eventMessage: 'long' }).slice(0, 60);
  t.match(readUnifiedLine(cut), { text: cut, process: 'system', level: 'info' });
});
