import type { UiCondition, UiNode } from '@runcloud/protocol';
import t from 'tap';
import { answerOf, judge } from '../../../server/host/ui/conditions.ts';
import { UiFrames, type UiLook } from '../../../server/host/ui/ui-frames.ts';

const frame = { x: 0, y: 0.5, width: 1, height: 0.1 };
const NODES: readonly UiNode[] = [
  { role: 'text', name: '9:41', frame, system: true },
  { role: 'button', name: 'Save', frame, actions: ['tap'], disabled: true },
  { role: 'button', name: 'Delete', frame, actions: ['tap'] },
  { role: 'switch', name: 'Dark mode', frame, actions: ['tap'], checked: true },
  { role: 'textfield', name: 'Note', value: 'Hello\nthere', frame, actions: ['tap', 'type'], focused: true },
  { role: 'cell', name: 'Milk', frame, children: [{ role: 'text', name: 'Milk', frame }] },
  { role: 'cell', name: 'Bread and butter', frame },
  { role: 'text', name: 'Gone', frame: { ...frame, height: 0 } },
];

function screenOf({ nodes = NODES, screen = 'on' as 'on' | 'off', missing = [] as string[] } = {}) {
  const frames = new UiFrames({ read: () => ({ screen, orientation: 'portrait', nodes, missing }) });
  const look = frames.look(new AbortController().signal) as UiLook;
  return (condition: UiCondition) => answerOf(judge(look, condition), look, frames);
}

const ask = screenOf();
const target = (text: string) => ({ target: { text } });

t.test('what is in sight is there, and nothing else', async (t) => {
  t.match(ask(target('Save')), { holds: true, frame: 1, count: 1, element: { ref: '@1', name: 'Save' } });
  t.match(ask({ ...target('Save'), not: true }), { holds: false, found: 'The button "Save" @1 is in frame 1.' });
  t.match(ask(target('Gone')), { holds: false, count: 0, found: /^No element "Gone" in frame 1\./ });
  t.match(ask({ ...target('Gone'), not: true }), { holds: true });
  t.match(ask({ target: { role: 'cell' } }), { holds: true, count: 2 }, 'several are in sight too');
  t.match(ask(target('9:41')), { holds: true, count: 1, element: { system: true } });
});

t.test('a miss names what is similar', async (t) => {
  t.match(ask(target('Svae it')).found, /^No element "Svae it" in frame 1\.$/);
  t.match(ask(target('Deleted')).found, 'No element "Deleted" in frame 1. Similar: button "Delete" @2.');
});

t.test('a state is that of one element, and without one it is neither so nor not so', async (t) => {
  t.match(ask({ ...target('Delete'), is: 'enabled' }), { holds: true });
  t.match(ask({ ...target('Save'), is: 'enabled' }), {
    holds: false,
    found: 'The button "Save" @1 of frame 1 is disabled.',
  });
  t.match(ask({ ...target('Save'), is: 'enabled', not: true }), { holds: true });
  t.match(ask({ ...target('Dark mode'), is: 'checked' }), { holds: true });
  for (const not of [true, false]) {
    t.match(ask({ ...target('Gone'), is: 'enabled', not }), { holds: false, found: /^No element/ });
    t.match(ask({ target: { role: 'cell' }, is: 'enabled', not }), {
      holds: false,
      found: /^2 elements fit cell in frame 1: /,
    });
    t.match(ask({ ...target('Save'), is: 'checked', not }), {
      holds: false,
      found: / is neither a switch nor a checkbox\.$/,
    });
    t.match(ask({ ...target('Save'), value: '', not }), { holds: false, found: / has no value\.$/ });
  }
  t.match(ask({ ...target('Note'), is: 'focused' }), { holds: true });
  t.match(ask({ ...target('Note'), is: 'selected' }), { holds: false, found: / is not selected\.$/ });
});

t.test('a text is the whole of the name or the value, a value is it letter by letter', async (t) => {
  const note = { target: { role: 'textfield' as const } };
  t.match(ask({ ...note, text: 'Note' }), { holds: true });
  t.match(ask({ ...note, text: ' Hello  there' }), { holds: true });
  t.match(ask({ ...note, text: 'hello there' }), {
    holds: false,
    found: 'The textfield "Note" @4 of frame 1 has the text "Note" and the value "Hello\\nthere".',
  });
  t.match(ask({ ...note, text: 'Hello', not: true }), { holds: true });
  t.match(ask({ ...note, value: 'Hello\nthere' }), { holds: true });
  t.match(ask({ ...note, value: 'Hello there' }), { holds: false, found: / has the value "Hello\\nthere"\.$/ });
});

t.test('a count is that of all that fit, those within each other once, bars of the system apart', async (t) => {
  t.match(ask({ ...target('Milk'), count: 1 }), { holds: true, count: 1 });
  t.match(ask({ target: { role: 'text' }, count: 1 }), { holds: true });
  t.match(ask({ target: { role: 'cell' }, count: 3 }), {
    holds: false,
    found: '2 fit cell: cell "Milk", cell "Bread and butter".',
  });
  t.match(ask({ target: { role: 'slider' }, count: 1 }), { holds: false, found: 'No element fits slider.' });
  t.match(ask({ target: { role: 'slider' }, count: 0 }), { holds: true });
  t.match(ask({ target: { role: 'cell' }, count: 2, not: true }), { holds: false });
});

t.test('nothing is in sight on a screen that is off', async (t) => {
  const off = screenOf({ screen: 'off' });
  t.match(off(target('Save')), { holds: false, count: 0, found: 'The screen is off.' });
  t.match(off({ ...target('Save'), not: true }), { holds: true });
  t.match(off({ ...target('Save'), is: 'enabled' }), { holds: false, found: 'The screen is off.' });
});

t.test('what the device does not tell cannot be asked for', async (t) => {
  const poor = screenOf({ missing: ['selected', 'value'] });
  const fault = { name: 'DeviceFault', kind: 'unsupported' };
  t.throws(() => poor({ ...target('Save'), is: 'selected' }), { ...fault, message: /does not tell "selected"/ });
  t.throws(() => poor({ ...target('Save'), value: '' }), fault);
  t.match(poor({ ...target('Delete'), is: 'enabled' }), { holds: true });
});
