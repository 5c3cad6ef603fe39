import t from 'tap';
import { formatTrace, parseTrace } from '../../../../server/drivers/android/guest/session-trace.ts';

t.test('a note is read as it was written', async (t) => {
  for (const trace of [
    {
      installed: ['com.a', 'com.b'],
      used: ['com.c'],
      settings: ['0', 'null', '1'],
      place: ['1', '-33.8', '151.2', '1e-7'],
      network: ['400000', '0', '80', '400'],
      session: 'ses_h0st1A4kZ1bQx7RmT9vLs2WcHn0e',
    },
    { installed: [], used: [], settings: [], place: [], network: [], session: '' },
    { installed: [], used: ['com.a.b_c'], settings: ['0.5'], place: [], network: [], session: '' },
  ]) {
    t.same(parseTrace(formatTrace(trace)), trace);
  }
  const odd = { installed: [], used: [], settings: ['a b; c', '1'], place: [], network: [], session: '' };
  t.same(
    parseTrace(formatTrace(odd)),
    { ...odd, settings: ['?', '1'] },
    'values that are not put back are only counted',
  );
});

t.test('a note of an earlier version has no place, no network, or no session', async (t) => {
  const { installed, used, settings, ...rest } = parseTrace('com.a;;0,1') ?? {};
  t.same({ installed, used, settings }, { installed: ['com.a'], used: [], settings: ['0', '1'] });
  t.same(rest, { place: [], network: [], session: '' });
  t.match(parseTrace('com.a;;0,1;1,2,3,4'), { place: ['1', '2', '3', '4'], network: [] });
  t.match(parseTrace('com.a;;0,1;;1,2,3,4'), { place: [], network: ['1', '2', '3', '4'], session: '' });
});

t.test('a text that this service did not write is not a trace', async (t) => {
  for (const note of [
    'null',
    '',
    'com.a',
    'a;b',
    ';;0;1;2;3;4',
    ';;0;1;2;$(id)',
    ';;0;1;$(id)',
    'a;b;c;$(id)',
    '$(id);;',
    'a b;;',
    ';-rf;',
    ';;a"b',
    `${'a,'.repeat(20_000)};;`,
  ]) {
    t.equal(parseTrace(note), undefined, note.slice(0, 20));
  }
});
