import { DOMImplementation, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import type { Platform, UiNode, UiRole } from '../../client/sdk/types.ts';
import type { Placed, Screen } from './screen.ts';

/**
 * The tree of the screen as the XML that Appium's drivers make of theirs, so that XPath expressions written for those find the same:
 * types of XCTest with `name`, `label`, `value`, places in points on iOS (appium-xcuitest-driver); classes of widgets with `text`,
 * `content-desc`, `resource-id`, `bounds` in pixels on Android (appium-uiautomator2-driver).
 */
export interface Source {
  readonly document: Document;
  readonly placedOf: ReadonlyMap<Element, Placed>;
}

const IOS_TYPES: Readonly<Record<UiRole, string>> = {
  app: 'Application',
  window: 'Window',
  heading: 'StaticText',
  text: 'StaticText',
  button: 'Button',
  link: 'Link',
  textfield: 'TextField',
  switch: 'Switch',
  checkbox: 'CheckBox',
  slider: 'Slider',
  tab: 'Button',
  list: 'Table',
  cell: 'Cell',
  image: 'Image',
  alert: 'Alert',
  sheet: 'Sheet',
  keyboard: 'Keyboard',
  web: 'WebView',
  other: 'Other',
};

const ANDROID_CLASSES: Readonly<Record<UiRole, string>> = {
  app: 'android.widget.FrameLayout',
  window: 'android.widget.FrameLayout',
  heading: 'android.widget.TextView',
  text: 'android.widget.TextView',
  button: 'android.widget.Button',
  link: 'android.widget.TextView',
  textfield: 'android.widget.EditText',
  switch: 'android.widget.Switch',
  checkbox: 'android.widget.CheckBox',
  slider: 'android.widget.SeekBar',
  tab: 'android.widget.TabWidget',
  list: 'android.widget.ListView',
  cell: 'android.view.ViewGroup',
  image: 'android.widget.ImageView',
  alert: 'android.widget.FrameLayout',
  sheet: 'android.widget.FrameLayout',
  keyboard: 'android.inputmethodservice.Keyboard',
  web: 'android.webkit.WebView',
  other: 'android.view.View',
};

/** The name of an element's kind, which is its tag in the source too. */
export const classOf = (platform: Platform, { role, secure }: UiNode): string => {
  if (platform === 'android') return ANDROID_CLASSES[role];
  return `XCUIElementType${role === 'textfield' && secure ? 'SecureTextField' : IOS_TYPES[role]}`;
};

/** An element's attributes by the names that Appium's driver of the platform gives them. */
export function attributesOf(screen: Screen, node: UiNode, index: number): Readonly<Record<string, string>> {
  return screen.platform === 'ios' ? iosAttributes(screen, node, index) : androidAttributes(screen, node, index);
}

function iosAttributes(screen: Screen, node: UiNode, index: number): Record<string, string> {
  const { name, id } = node;
  const value = valueIn(node);
  return {
    type: classOf('ios', node),
    ...((id ?? name) === undefined ? {} : { name: id ?? name }),
    ...(name === undefined ? {} : { label: name }),
    ...(value === undefined ? {} : { value }),
    enabled: String(!node.disabled),
    visible: 'true',
    accessible: String(name !== undefined || isUsable(node)),
    ...(node.selected ? { selected: 'true' } : {}),
    ...(node.focused ? { focused: 'true' } : {}),
    ...strings(screen.rectOf(node)),
    index: String(index),
  } as Record<string, string>;
}

function androidAttributes(screen: Screen, node: UiNode, index: number): Record<string, string> {
  const { x, y, width, height } = screen.rectOf(node);
  const can = (action: NonNullable<UiNode['actions']>[number]) => String(node.actions?.includes(action) ?? false);
  return {
    index: String(index),
    package: screen.tree.app ?? '',
    class: classOf('android', node),
    text: node.value ?? node.name ?? '',
    ...(node.name === undefined ? {} : { 'content-desc': node.name }),
    ...(node.id === undefined ? {} : { 'resource-id': node.id }),
    checkable: String(node.checked !== undefined),
    checked: String(node.checked ?? false),
    clickable: can('tap'),
    enabled: String(!node.disabled),
    focusable: String(node.editable ?? false),
    focused: String(node.focused ?? false),
    'long-clickable': can('longPress'),
    password: String(node.secure ?? false),
    scrollable: can('scroll'),
    selected: String(node.selected ?? false),
    bounds: `[${x},${y}][${x + width},${y + height}]`,
    displayed: 'true',
  };
}

/** Of what is on or off, "1" or "0", as XCTest has it. */
export const valueIn = ({ value, checked }: UiNode): string | undefined =>
  checked === undefined ? value : checked ? '1' : '0';

export const isUsable = ({ actions = [] }: UiNode): boolean => actions.length > 0;

export function sourceOf(screen: Screen): Source {
  const isIos = screen.platform === 'ios';
  const document = new DOMImplementation().createDocument(null, isIos ? 'AppiumAUT' : 'hierarchy', null);
  const root = document.documentElement as Element;
  if (!isIos) for (const [name, value] of Object.entries(hierarchy(screen))) root.setAttribute(name, value);
  const placedOf = new Map<Element, Placed>();
  const elementOf = new Map<Placed | undefined, Element>([[undefined, root]]);
  const children = new Map<Placed | undefined, number>();
  for (const placed of screen.elements) {
    const { node, parent } = placed;
    const index = children.get(parent) ?? 0;
    children.set(parent, index + 1);
    const element = document.createElement(classOf(screen.platform, node));
    for (const [name, value] of Object.entries(attributesOf(screen, node, index))) element.setAttribute(name, value);
    (elementOf.get(parent) ?? root).appendChild(element);
    elementOf.set(placed, element);
    placedOf.set(element, placed);
  }
  return { document, placedOf };
}

export const textOfSource = ({ document }: Source): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${new XMLSerializer().serializeToString(document)}`;

const ROTATIONS = { portrait: 0, landscape_left: 1, portrait_upside_down: 2, landscape_right: 3 } as const;

const hierarchy = ({ width, height, tree }: Screen) => ({
  index: '0',
  class: 'hierarchy',
  rotation: String(ROTATIONS[tree.orientation]),
  width: String(width),
  height: String(height),
});

const strings = (fields: object): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
