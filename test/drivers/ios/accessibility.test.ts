import t from 'tap';
import { DeviceFault } from '../../../server/device/fault.ts';
import { readAccessibility } from '../../../server/drivers/ios/accessibility.ts';

const frame = { x: 0, y: 0, width: 200, height: 400 };
const app = (children: readonly object[], own: object = {}) =>
  JSON.stringify([{ type: 'Application', role: 'AXApplication', AXLabel: 'Example', frame, children, ...own }]);
const nodesOf = (children: readonly object[]) => readAccessibility(app(children)).nodes[0]?.children;

t.test('elements have the role, the name, the state and the actions that a person sees', async (t) => {
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const children = [
    { type: 'Button', AXLabel: 'Save', AXUniqueId: 'save', frame: { x: 20, y: 40, width: 100, height: 40 } },
    { type: 'StaticText', AXLabel: 'Hello', AXUniqueId: null, AXValue: null, frame },
    { type: 'TextField', AXLabel: 'Name', AXValue: 'Ada', frame },
    { type: 'TextField', AXLabel: 'Empty', AXValue: null, frame },
    { type: 'TextField', subrole: 'AXSecureTextField', AXLabel: 'Password', AXValue: '••••', frame },
    { type: 'CheckBox', AXLabel: 'Wi-Fi', AXValue: '1', frame },
    { type: 'CheckBox', AXLabel: 'Bluetooth', AXValue: 0, frame, enabled: false },
    { type: 'Slider', AXLabel: 'Volume', AXValue: '50%', frame },
    { type: 'Heading', title: 'Settings', AXLabel: '  ', frame },
    { type: 'Strange', AXLabel: 'Own', frame },
  ];
  const { app: name, missing } = readAccessibility(app([]));
  t.strictSame([name, missing], ['Example', ['focused', 'offScreen', 'selected', 'system']]);
  t.strictSame(nodesOf(children), [
    { role: 'button', name: 'Save', id: 'save', frame: { x: 0.1, y: 0.1, width: 0.5, height: 0.1 }, actions: ['tap'] },
    { role: 'text', name: 'Hello', frame: whole },
    { role: 'textfield', name: 'Name', value: 'Ada', frame: whole, editable: true, actions: ['tap', 'type'] },
    { role: 'textfield', name: 'Empty', value: '', frame: whole, editable: true, actions: ['tap', 'type'] },
    { role: 'textfield', name: 'Password', frame: whole, secure: true, editable: true, actions: ['tap', 'type'] },
    { role: 'switch', name: 'Wi-Fi', frame: whole, checked: true, actions: ['tap'] },
    { role: 'switch', name: 'Bluetooth', frame: whole, disabled: true, checked: false },
    { role: 'slider', name: 'Volume', value: '50%', frame: whole, actions: ['adjust'] },
    { role: 'heading', name: 'Settings', frame: whole },
    { role: 'other', name: 'Own', frame: whole },
  ]);
});

t.test('groups without a name are left out, and what is in them stays', async (t) => {
  const group = (children: readonly object[], own: object = {}) => ({ type: 'Group', frame, children, ...own });
  const button = { type: 'Button', AXLabel: 'Deep', frame };
  t.match(nodesOf([group([group([button])])]), [{ role: 'button', name: 'Deep' }]);
  t.match(nodesOf([group([button], { AXUniqueId: 'toolbar' })]), [{ id: 'toolbar', children: [{ name: 'Deep' }] }]);
});

t.test('answers of newer companions, and of one element, are read too', async (t) => {
  const [root] = JSON.parse(app([]));
  t.match(readAccessibility(JSON.stringify({ elements: [root] })), { app: 'Example' });
  t.match(readAccessibility(JSON.stringify(root)), { app: 'Example' });
});

t.test('what is none is a fault, whatever its fields are', async (t) => {
  const nonsense = new DeviceFault('nonsense', 'The helper tells of the screen in a way that cannot be read.');
  const noSize = app([], { frame: { x: 0, y: 0, width: 0, height: 0 } });
  for (const json of ['', 'null', '[]', '[1]', '"a"', '{', '{"elements":3}', noSize, app([], { frame: null })]) {
    t.throws(() => readAccessibility(json), nonsense, json);
  }
  const odd = { type: {}, AXLabel: { toString: 1 }, AXValue: [], AXUniqueId: 7, frame: 'here', children: 'none' };
  t.match(nodesOf([odd]), [{ role: 'other', id: '7', frame: { x: 0, y: 0, width: 0, height: 0 } }]);
  const start = '{"type":"Group","AXLabel":"g","frame":{"x":0,"y":0,"width":1,"height":1},"children":[';
  const depth = 20_000;
  let nodes = readAccessibility(start.repeat(depth) + ']}'.repeat(depth)).nodes;
  let count = 0;
  for (; nodes.length > 0; count++) nodes = nodes[0]?.children ?? [];
  t.ok(count > 100 && count < 1_000, `${count}`);
});
