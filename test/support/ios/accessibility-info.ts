import type { UiNode, UiRole } from '@runcloud/protocol';
import type { VirtualPhone } from '../../../server/phone/phone.ts';
import { PANEL } from './guest.ts';

/**
 * What idb_companion tells of a phone: the elements of the app in front with the fields of its published answers, in points of the
 * screen as it is held; no keyboards, no bars of the system.
 */

const TYPES: Partial<Record<UiRole, string>> = {
  button: 'Button',
  cell: 'Cell',
  checkbox: 'CheckBox',
  heading: 'Heading',
  image: 'Image',
  link: 'Link',
  list: 'Table',
  slider: 'Slider',
  switch: 'CheckBox',
  text: 'StaticText',
  textfield: 'TextField',
  web: 'WebView',
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @param nested the elements within each other; all in one list otherwise */
export function accessibilityInfo(phone: VirtualPhone, nested: boolean): string {
  const { app, orientation, nodes } = phone.describe();
  const isLying = orientation.startsWith('landscape');
  const [short, long] = [PANEL.width / 2, PANEL.height / 2];
  const size = isLying ? { width: long, height: short } : { width: short, height: long };
  const inside = nodes.flatMap(({ role, children = [], ...node }) =>
    role === 'app' ? children : [{ role, children, ...node }],
  );
  const root = {
    ...fieldsOf({ role: 'app', name: app ?? '', frame: { x: 0, y: 0, width: 1, height: 1 } }, size),
    role: 'AXApplication',
    type: 'Application',
    children: inside.flatMap((node) => elementsOf(node, size)),
  };
  return JSON.stringify(nested ? [root] : flat(root));
}

type Element = ReturnType<typeof fieldsOf> & { readonly children: readonly Element[] };

const flat = ({ children, ...own }: Element): readonly object[] => [own, ...children.flatMap(flat)];

function elementsOf(node: UiNode, size: Size): readonly Element[] {
  if (node.system || node.role === 'keyboard') return [];
  const children = (node.children ?? []).flatMap((child) => elementsOf(child, size));
  return [{ ...fieldsOf(node, size), children }];
}

function fieldsOf({ role, name, value, id, frame, disabled, secure, checked }: UiNode, { width, height }: Size) {
  const [x, y, wide, high] = [frame.x * width, frame.y * height, frame.width * width, frame.height * height];
  const type = TYPES[role] ?? 'Group';
  return {
    AXFrame: `{{${x}, ${y}}, {${wide}, ${high}}}`,
    AXUniqueId: id ?? null,
    frame: { x, y, width: wide, height: high },
    role_description: type.toLowerCase(),
    AXLabel: name ?? null,
    content_required: false,
    type,
    title: null,
    help: null,
    custom_actions: [],
    AXValue: checked === undefined ? (secure ? '•••' : (value ?? null)) : checked ? '1' : '0',
    enabled: !disabled,
    role: `AX${type}`,
    subrole: secure ? 'AXSecureTextField' : null,
  };
}
