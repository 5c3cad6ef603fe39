import type { UiAction, UiFrame, UiNode, UiRole } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import { UI_SOURCE_DEPTH_MAX } from '../../device/ui.ts';
import type { ReadUi } from './helper.ts';
import { type Fields, isFields } from './json-fields.ts';

/** What it tells of no element. */
const MISSING = ['focused', 'offScreen', 'selected', 'system'] as const;

const ROLES: Readonly<Record<string, UiRole>> = {
  Alert: 'alert',
  Application: 'app',
  Button: 'button',
  Cell: 'cell',
  CheckBox: 'switch',
  CollectionView: 'list',
  Heading: 'heading',
  Image: 'image',
  Keyboard: 'keyboard',
  Link: 'link',
  List: 'list',
  NavigationBar: 'heading',
  PopUpButton: 'button',
  RadioButton: 'tab',
  ScrollArea: 'list',
  ScrollView: 'list',
  SearchField: 'textfield',
  SecureTextField: 'textfield',
  Sheet: 'sheet',
  Slider: 'slider',
  StaticText: 'text',
  Switch: 'switch',
  Table: 'list',
  TextArea: 'textfield',
  TextField: 'textfield',
  TextView: 'textfield',
  WebView: 'web',
  Window: 'window',
};
const TAPPED: ReadonlySet<UiRole> = new Set(['button', 'cell', 'checkbox', 'link', 'switch', 'tab', 'textfield']);

/**
 * Reads what helpers tell of the app in front, as the program `axe` has it: the nested format of idb's `accessibility_info`, and serve-sim's `/ax`: an element has `type`, `AXLabel`, `AXValue`, `AXUniqueId`, `enabled`,
 * `frame` in points of the app, and `children`. Throws a `DeviceFault` for what is none.
 */
export function readAccessibility(json: string): ReadUi {
  const roots = rootsOf(json);
  const [root] = roots;
  if (!root) throw nonsense();
  const screen = frameOf(root);
  if (!(screen.width > 0 && screen.height > 0)) throw nonsense();
  const app = wordsOf(root, 'AXLabel', 'title');
  const nodes = roots.flatMap((fields) => read(fields, screen, 0));
  return { ...(app === undefined ? {} : { app }), nodes, missing: MISSING };
}

function rootsOf(json: string): Fields[] {
  try {
    const told: unknown = JSON.parse(json);
    const elements = isFields(told) && 'elements' in told ? told.elements : told;
    return (Array.isArray(elements) ? elements : [elements]).filter(isFields);
  } catch {
    throw nonsense();
  }
}

/** Gives the element, or what is in it where it is nothing but a group around that. */
function read(fields: Fields, screen: UiFrame, depth: number): readonly UiNode[] {
  const type = String(fields.type ?? '');
  const role = ROLES[type] ?? 'other';
  const deeper = depth < UI_SOURCE_DEPTH_MAX && Array.isArray(fields.children) ? fields.children.filter(isFields) : [];
  const children = deeper.flatMap((child) => read(child, screen, depth + 1));
  const name = wordsOf(fields, 'AXLabel', 'title');
  const id = wordsOf(fields, 'AXUniqueId');
  if (role === 'other' && name === undefined && id === undefined) return children;
  const told = wordsOf(fields, 'AXValue');
  const isField = role === 'textfield';
  const isSecure = type === 'SecureTextField' || fields.subrole === 'AXSecureTextField';
  const isDisabled = fields.enabled === false;
  const actions = isDisabled ? [] : actionsOf(role);
  const value = isField ? (told ?? '') : role === 'switch' || role === 'tab' ? undefined : told;
  return [
    {
      role,
      ...(name === undefined ? {} : { name }),
      ...(value === undefined || isSecure ? {} : { value }),
      ...(id === undefined ? {} : { id }),
      frame: shareOf(frameOf(fields), screen),
      ...(isDisabled ? { disabled: true as const } : {}),
      ...(role === 'switch' ? { checked: told === '1' || told === 'on' } : {}),
      ...(isSecure ? { secure: true as const } : {}),
      ...(isField ? { editable: true as const } : {}),
      ...(actions.length === 0 ? {} : { actions }),
      ...(children.length === 0 ? {} : { children }),
    },
  ];
}

function actionsOf(role: UiRole): readonly UiAction[] {
  if (role === 'textfield') return ['tap', 'type'];
  if (role === 'slider') return ['adjust'];
  if (role === 'list') return ['scroll'];
  return TAPPED.has(role) ? ['tap'] : [];
}

/** The first of these fields that says something. */
function wordsOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const words = typeof value === 'number' ? String(value) : value;
    if (typeof words === 'string' && words.trim() !== '') return words;
  }
  return undefined;
}

function frameOf({ frame }: Fields): UiFrame {
  const edges: Fields = isFields(frame) ? frame : {};
  const edge = (name: string) => (typeof edges[name] === 'number' ? (edges[name] as number) : 0);
  return { x: edge('x'), y: edge('y'), width: edge('width'), height: edge('height') };
}

const shareOf = ({ x, y, width, height }: UiFrame, screen: UiFrame): UiFrame => ({
  x: (x - screen.x) / screen.width,
  y: (y - screen.y) / screen.height,
  width: width / screen.width,
  height: height / screen.height,
});

const nonsense = () => new DeviceFault('nonsense', 'The helper tells of the screen in a way that cannot be read.');
