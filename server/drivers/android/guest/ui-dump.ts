import type { UiAction, UiFrame, UiNode, UiRole } from '@runcloud/protocol';
import { DOMParser, type Element } from '@xmldom/xmldom';
import { DeviceFault } from '../../../device/fault.ts';
import { UI_SOURCE_DEPTH_MAX } from '../../../device/ui.ts';
import { type DisplaySize, type QuarterTurns, uprightSize } from './orientation.ts';

/** What `uiautomator dump` wrote. */
export interface UiDump {
  readonly turns: QuarterTurns;
  /** Package of the window that was dumped. */
  readonly package?: string;
  readonly nodes: readonly UiNode[];
}

const SYSTEM_UI = 'com.android.systemui';

/** Roles by the last part of a class's name, which apps' own classes report as that of the widget they extend. */
const ROLES: readonly (readonly [RegExp, UiRole])[] = [
  [/EditText$|AutoComplete(TextView)?$/, 'textfield'],
  [/Switch$|SwitchCompat$|ToggleButton$/, 'switch'],
  [/CheckBox$|CheckedTextView$|RadioButton$/, 'checkbox'],
  [/SeekBar$|RatingBar$|Slider$/, 'slider'],
  [/Tab$/, 'tab'],
  [/WebView$/, 'web'],
  [/Button$/, 'button'],
  [/ListView$|RecyclerView$|GridView$|ScrollView$|ViewPager2?$/, 'list'],
];

/** Roles of what only shows something, which a tap makes a button or, in a list, a cell. */
const SHOWN: readonly (readonly [RegExp, UiRole])[] = [
  [/ImageView$|\.Image$/, 'image'],
  [/TextView$/, 'text'],
];

/**
 * Reads the XML of `uiautomator dump`, whose attributes are those of AOSP's `AccessibilityNodeInfoDumper`. Throws a `DeviceFault`
 * for what is none.
 *
 * @param display the size of the active display in its natural orientation
 */
export function readUiDump(xml: string, display: DisplaySize): UiDump {
  const hierarchy = hierarchyOf(xml);
  const rotation = Number(hierarchy.getAttribute('rotation') ?? 0);
  const turns = (rotation >= 0 && rotation <= 3 ? Math.trunc(rotation) : 0) as QuarterTurns;
  const size = uprightSize(display, turns);
  const roots = elementsOf(hierarchy);
  const name = roots[0]?.getAttribute('package');
  return { turns, ...(name ? { package: name } : {}), nodes: roots.flatMap((root) => read(root, size, false, 0)) };
}

function hierarchyOf(xml: string): Element {
  try {
    const onError = (level: string, message: string) => {
      if (level !== 'warning') throw new Error(message);
    };
    const { documentElement } = new DOMParser({ onError }).parseFromString(xml, 'text/xml');
    if (documentElement?.tagName === 'hierarchy') return documentElement;
  } catch {
    // It is told below.
  }
  throw new DeviceFault('nonsense', 'The device tells of its screen in a way that cannot be read.');
}

function elementsOf(parent: Element): Element[] {
  const elements: Element[] = [];
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === child.ELEMENT_NODE) elements.push(child as Element);
  }
  return elements;
}

/** Gives the element, or what is in it where it is nothing but a frame around that. */
function read(element: Element, size: DisplaySize, isInList: boolean, depth: number): readonly UiNode[] {
  const has = (name: string) => element.getAttribute(name) === 'true';
  const text = (name: string) => element.getAttribute(name) || undefined;
  const role = roleOf(element, isInList);
  const deeper = depth < UI_SOURCE_DEPTH_MAX ? elementsOf(element) : [];
  const children = deeper.flatMap((child) => read(child, size, role === 'list', depth + 1));
  const isEditable = role === 'textfield';
  const actions = has('enabled') ? actionsOf(role, has) : [];
  const own = isEditable ? (text('content-desc') ?? text('hint')) : (text('content-desc') ?? text('text'));
  const name = own ?? (actions.includes('tap') && !isEditable ? nameFrom(children) : undefined);
  const id = text('resource-id');
  if (role === 'other' && name === undefined && id === undefined && actions.length === 0) return children;
  const value = isEditable && !has('password') ? (text('text') ?? '') : undefined;
  const isChecked = role === 'switch' || role === 'checkbox';
  return [
    {
      role,
      ...(name === undefined ? {} : { name }),
      ...(value === undefined ? {} : { value }),
      ...(id === undefined ? {} : { id }),
      frame: frameOf(element.getAttribute('bounds') ?? '', size),
      ...(has('enabled') ? {} : { disabled: true }),
      ...(has('selected') ? { selected: true } : {}),
      ...(isChecked ? { checked: has('checked') } : {}),
      ...(isEditable && has('focused') ? { focused: true } : {}),
      ...(has('password') ? { secure: true } : {}),
      ...(isEditable ? { editable: true } : {}),
      ...(element.getAttribute('package') === SYSTEM_UI ? { system: true } : {}),
      ...(actions.length === 0 ? {} : { actions }),
      ...(children.length === 0 ? {} : { children }),
    } as UiNode,
  ];
}

function roleOf(element: Element, isInList: boolean): UiRole {
  const has = (name: string) => element.getAttribute(name) === 'true';
  const type = element.getAttribute('class') ?? '';
  const known = ROLES.find(([pattern]) => pattern.test(type))?.[1];
  if (known) return known;
  if (has('checkable')) return 'checkbox';
  if (has('clickable')) return isInList ? 'cell' : 'button';
  if (has('scrollable')) return 'list';
  const shown = SHOWN.find(([pattern]) => pattern.test(type))?.[1];
  return shown ?? (element.getAttribute('text') ? 'text' : 'other');
}

function actionsOf(role: UiRole, has: (name: string) => boolean): readonly UiAction[] {
  const actions: UiAction[] = [];
  if (has('clickable')) actions.push('tap');
  if (has('long-clickable')) actions.push('longPress');
  if (role === 'textfield') actions.push('type');
  if (has('scrollable')) actions.push('scroll');
  if (role === 'slider') actions.push('adjust');
  return actions;
}

/** What can be tapped and has no name is called by the texts in it, as a screen reader does. */
function nameFrom(children: readonly UiNode[]): string | undefined {
  const names = children.flatMap((child): readonly string[] => {
    if (child.actions?.includes('tap')) return [];
    const name = child.name ?? nameFrom(child.children ?? []);
    return name === undefined ? [] : [name];
  });
  return names.length === 0 ? undefined : names.join(', ');
}

/** From `[left,top][right,bottom]`, in pixels of the display as it is held: the part in sight. */
function frameOf(bounds: string, { width, height }: DisplaySize): UiFrame {
  const numbers = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(bounds)?.slice(1).map(Number);
  const [left = 0, top = 0, right = 0, bottom = 0] = numbers ?? [];
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height };
}
