import type { UiNode, UiRole } from '@runcloud/protocol';
import type { UiScreen } from '../../../server/device/ui.ts';

/**
 * What `uiautomator dump` of an Android device writes of a phone: the attributes of AOSP's `AccessibilityNodeInfoDumper`, layouts
 * around the elements, the system's bars in a window of their own that is not dumped, and nothing of what is out of sight.
 */

const CLASSES: Partial<Record<UiRole, string>> = {
  button: 'android.widget.Button',
  checkbox: 'android.widget.CheckBox',
  heading: 'android.widget.TextView',
  image: 'android.widget.ImageView',
  link: 'android.widget.TextView',
  list: 'androidx.recyclerview.widget.RecyclerView',
  slider: 'android.widget.SeekBar',
  switch: 'android.widget.Switch',
  text: 'android.widget.TextView',
  textfield: 'android.widget.EditText',
  web: 'android.webkit.WebView',
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @param rotation quarter turns, as `Display.getRotation` counts them */
export function uiDump({ nodes }: UiScreen, app: string, rotation: number, size: Size): string {
  const inside = nodes.map((node) => nodeOf(node, app, size)).join('');
  const frame = layout(app, size, layout(app, size, inside));
  return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="${rotation}">${frame}</hierarchy>`;
}

const layout = (app: string, size: Size, inside: string): string =>
  element(
    { class: 'android.widget.FrameLayout', package: app, bounds: boundsOf({ x: 0, y: 0, width: 1, height: 1 }, size) },
    inside,
  );

function nodeOf(node: UiNode, app: string, size: Size): string {
  if (node.system || node.role === 'keyboard') return '';
  const { role, name = '', value = '', id, actions = [], children = [] } = node;
  const isField = role === 'textfield';
  const attributes = {
    text: isField ? (node.secure ? '•'.repeat(value.length) : value) : role === 'image' ? '' : name,
    'resource-id': id ? `${app}:id/${id}` : '',
    class: CLASSES[role] ?? 'android.view.ViewGroup',
    package: app,
    'content-desc': isField || role === 'image' ? name : '',
    checkable: role === 'switch' || role === 'checkbox',
    checked: node.checked ?? false,
    clickable: actions.includes('tap'),
    enabled: !node.disabled,
    focusable: actions.length > 0,
    focused: node.focused ?? false,
    scrollable: actions.includes('scroll'),
    'long-clickable': actions.includes('longPress'),
    password: node.secure ?? false,
    selected: node.selected ?? false,
    bounds: boundsOf(node.frame, size),
  };
  return element(attributes, children.map((child) => nodeOf(child, app, size)).join(''));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

function element(attributes: Readonly<Record<string, string | boolean>>, inside: string): string {
  const all = { index: '0', text: '', 'resource-id': '', 'content-desc': '', enabled: true, ...attributes };
  const written = Object.entries(all)
    .map(([name, value]) => ` ${name}="${String(value).replace(/[&<>"\n]/g, (one) => ESCAPES[one] ?? '')}"`)
    .join('');
  return inside === '' ? `<node${written} />` : `<node${written}>${inside}</node>`;
}

function boundsOf({ x, y, width, height }: UiNode['frame'], size: Size): string {
  const [left, top] = [Math.round(x * size.width), Math.round(y * size.height)];
  const [right, bottom] = [Math.round((x + width) * size.width), Math.round((y + height) * size.height)];
  return `[${left},${top}][${right},${bottom}]`;
}
