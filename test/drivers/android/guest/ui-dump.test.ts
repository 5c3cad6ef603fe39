import t from 'tap';
import { DeviceFault } from '../../../../server/device/fault.ts';
import { readUiDump } from '../../../../server/drivers/android/guest/ui-dump.ts';

const DISPLAY = { width: 1_080, height: 2_400 };

/** Attributes as the tool writes all of them, in its order. */
const node = (own: Readonly<Record<string, string>>, inside = ''): string => {
  const all = {
    index: '0',
    text: '',
    'resource-id': '',
    class: 'android.view.View',
    package: 'com.example.app',
    'content-desc': '',
    checkable: 'false',
    checked: 'false',
    clickable: 'false',
    enabled: 'true',
    focusable: 'false',
    focused: 'false',
    scrollable: 'false',
    'long-clickable': 'false',
    password: 'false',
    selected: 'false',
    bounds: '[0,0][1080,2400]',
    ...own,
  };
  const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return `<node ${written.join(' ')}${inside === '' ? ' />' : `>${inside}</node>`}`;
};
const dump = (inside: string, rotation = '0') =>
  `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${rotation}">${inside}</hierarchy>`;
const nodesOf = (inside: string) => readUiDump(dump(inside), DISPLAY).nodes;

t.test('widgets have the role, the name, the state and the actions that a person sees', async (t) => {
  const widgets = [
    { class: 'android.widget.TextView', text: 'Network &amp; internet', bounds: '[108,240][972,360]' },
    { class: 'android.widget.Button', text: 'Save', clickable: 'true', 'resource-id': 'com.example.app:id/save' },
    { class: 'android.widget.ImageButton', 'content-desc': 'Search', clickable: 'true', 'long-clickable': 'true' },
    { class: 'android.widget.Switch', 'content-desc': 'Wi-Fi', checkable: 'true', checked: 'true', clickable: 'true' },
    { class: 'android.widget.CheckBox', text: 'Remember me', checkable: 'true', clickable: 'true', enabled: 'false' },
    { class: 'android.widget.SeekBar', 'content-desc': 'Volume' },
    { class: 'android.widget.EditText', text: 'milk', 'content-desc': 'Note', clickable: 'true', focused: 'true' },
    { class: 'android.widget.EditText', text: '•••••', hint: 'Password', password: 'true', clickable: 'true' },
    { class: 'android.widget.ImageView', 'content-desc': 'Logo' },
    { class: 'com.example.app.Chart', text: 'Own class' },
    { class: 'android.widget.TextView', text: 'Tapped text', clickable: 'true', selected: 'true' },
    { class: 'android.widget.TextView', text: '10:24', package: 'com.android.systemui' },
  ];
  const frame = { x: 0, y: 0, width: 1, height: 1 };
  t.strictSame(nodesOf(node({ class: 'android.widget.FrameLayout' }, widgets.map((one) => node(one)).join(''))), [
    { role: 'text', name: 'Network & internet', frame: { x: 0.1, y: 0.1, width: 0.8, height: 0.05 } },
    { role: 'button', name: 'Save', id: 'com.example.app:id/save', frame, actions: ['tap'] },
    { role: 'button', name: 'Search', frame, actions: ['tap', 'longPress'] },
    { role: 'switch', name: 'Wi-Fi', frame, checked: true, actions: ['tap'] },
    { role: 'checkbox', name: 'Remember me', frame, disabled: true, checked: false },
    { role: 'slider', name: 'Volume', frame, actions: ['adjust'] },
    { role: 'textfield', name: 'Note', value: 'milk', frame, focused: true, editable: true, actions: ['tap', 'type'] },
    { role: 'textfield', name: 'Password', frame, secure: true, editable: true, actions: ['tap', 'type'] },
    { role: 'image', name: 'Logo', frame },
    { role: 'text', name: 'Own class', frame },
    { role: 'button', name: 'Tapped text', frame, selected: true, actions: ['tap'] },
    { role: 'text', name: '10:24', frame, system: true },
  ]);
});

t.test('rows of a list are cells, called by the texts in them, without the layouts around', async (t) => {
  const row = node(
    { class: 'android.widget.LinearLayout', clickable: 'true', bounds: '[0,0][1080,240]' },
    node(
      { class: 'android.widget.RelativeLayout' },
      node({ class: 'android.widget.TextView', text: 'Bluetooth' }) +
        node({ class: 'android.widget.TextView', text: 'On' }) +
        node({ class: 'android.widget.Switch', text: 'Use', checkable: 'true', clickable: 'true' }),
    ),
  );
  const list = node({ class: 'androidx.recyclerview.widget.RecyclerView', scrollable: 'true' }, row);
  t.match(nodesOf(node({}, node({}, list))), [
    {
      role: 'list',
      actions: ['scroll'],
      children: [
        {
          role: 'cell',
          name: 'Bluetooth, On',
          frame: { height: 0.1 },
          children: [{ name: 'Bluetooth' }, { name: 'On' }, { role: 'switch', name: 'Use' }],
        },
      ],
    },
  ]);
});

t.test('frames are parts of the display as it is held', async (t) => {
  const turned = readUiDump(dump(node({ text: 'a', bounds: '[240,108][480,216]' }), '1'), DISPLAY);
  t.match(turned, { turns: 1, package: 'com.example.app' });
  t.strictSame(turned.nodes[0]?.frame, { x: 0.1, y: 0.1, width: 0.1, height: 0.1 });
  t.strictSame(nodesOf(node({ text: 'a', bounds: 'nowhere' }))[0]?.frame, { x: 0, y: 0, width: 0, height: 0 });
});

t.test('a tree of any depth is read, as deep as people make them', async (t) => {
  const depth = 20_000;
  const [start = '', end = ''] = node({ text: 'deep' }, '#').split('#');
  let nodes = nodesOf(start.repeat(depth) + end.repeat(depth));
  let count = 0;
  for (; nodes.length > 0; count++) nodes = nodes[0]?.children ?? [];
  t.ok(count > 100 && count < 1_000, `${count}`);
});

t.test('what is no dump is a fault, and runs nothing', async (t) => {
  const entities = `<!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  for (const xml of [
    '',
    'ERROR',
    '<hierarchy',
    '<other/>',
    '<hierarchy><node></hierarchy>',
    '<hierarchy/><hierarchy/>',
  ]) {
    t.throws(
      () => readUiDump(xml, DISPLAY),
      new DeviceFault('nonsense', 'The device tells of its screen in a way that cannot be read.'),
      xml,
    );
  }
  try {
    const { nodes } = readUiDump(`${entities}<hierarchy>${node({ text: '&b;&f;' })}</hierarchy>`, DISPLAY);
    t.notMatch(JSON.stringify(nodes), /aaaa|root:/);
  } catch (error) {
    t.match(error, { kind: 'nonsense' });
  }
  t.strictSame(readUiDump(dump(''), DISPLAY), { turns: 0, nodes: [] });
});
