import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { text, whole } from './fields.ts';
import { ORIENTATIONS } from './platforms.ts';
import { UiFrameSchema } from './ui-frame.ts';
import { UI_ROLES, type UiRole } from './ui-roles.ts';

/** What a person can do with an element. */
export const UI_ACTIONS = ['tap', 'longPress', 'type', 'scroll', 'adjust'] as const;
export type UiAction = (typeof UI_ACTIONS)[number];

/** A part of the display in its current orientation, in fractions of its width and height from the top left. */
export interface UiFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Elements that are out of sight: how many come before and after those in sight, and the names of some of them. */
export interface UiOffScreen {
  readonly before: number;
  readonly after: number;
  readonly names: readonly string[];
}

/** One element of the screen, as accessibility tells of it. A flag that is absent is false. */
export interface UiNode {
  /** Names the element within its frame; only elements with actions have one. */
  readonly ref?: string;
  readonly role: UiRole;
  readonly name?: string;
  /** Never that of a secure field. */
  readonly value?: string;
  /** The app's own name of the element; the same each time. */
  readonly id?: string;
  /** The part of it that is in sight. */
  readonly frame: UiFrame;
  readonly disabled?: true;
  readonly selected?: true;
  /** Whether a switch or a checkbox is on; absent for other roles. */
  readonly checked?: boolean;
  readonly focused?: true;
  readonly secure?: true;
  readonly editable?: true;
  /** Part of the bars of the system, such as its clock. */
  readonly system?: true;
  readonly actions?: readonly UiAction[];
  readonly offScreen?: UiOffScreen;
  readonly children?: readonly UiNode[];
}

const Flag = (description: string) => Type.Optional(Type.Literal(true, { description }));

const OffScreen = Type.Object(
  {
    before: whole('How many elements come before those in sight', 2),
    after: whole('How many come after', 18),
    names: Type.Array(Type.String(), { maxItems: 3, description: 'Names of the next ones', examples: [['Recipes']] }),
  },
  { $id: 'UiOffScreen', additionalProperties: false, description: 'Elements that are out of sight' },
);

/** An element without those within it. */
const ELEMENT = {
  ref: Type.Optional(text('Names the element within the frame; only elements with actions have one', '@4')),
  role: oneOf(UI_ROLES, { description: 'Kind of the element', examples: ['button'] }),
  name: Type.Optional(text('What it is called', 'New note')),
  value: Type.Optional(text('What it holds; never of a secure field', 'Groceries')),
  id: Type.Optional(text("The app's own name of the element, the same each time", 'notes.new')),
  frame: UiFrameSchema,
  disabled: Flag('It cannot be used now'),
  selected: Flag('It is selected'),
  checked: Type.Optional(Type.Boolean({ description: 'Whether a switch or a checkbox is on', examples: [true] })),
  focused: Flag('It gets what is typed'),
  secure: Flag('It holds a secret'),
  editable: Flag('Its text can be changed'),
  system: Flag('It is part of the bars of the system'),
  actions: Type.Optional(
    Type.Array(oneOf(UI_ACTIONS), { description: 'What can be done with it', examples: [['tap']] }),
  ),
};

/** See `UiNode`. */
export const UiNodeSchema = Type.Recursive(
  (This) =>
    Type.Object(
      {
        ...ELEMENT,
        offScreen: Type.Optional(OffScreen),
        children: Type.Optional(Type.Array(This, { description: 'In the order in which they are drawn' })),
      },
      { additionalProperties: false },
    ),
  { $id: 'UiNode', description: 'One element of the screen' },
);

/** Whether something is so on the screen. */
export const UiAnswer = Type.Object(
  {
    holds: Type.Boolean({ description: 'Whether it is so', examples: [true] }),
    frame: Type.Optional(whole('Number of the frame, which the ref of the element belongs to; absent for `idle`', 42)),
    count: Type.Optional(whole('How many elements fit; absent for `idle`', 1)),
    element: Type.Optional(
      Type.Object(ELEMENT, {
        $id: 'UiElement',
        additionalProperties: false,
        description: 'The element that fits, where there is one',
      }),
    ),
    found: Type.Optional(text('What is there instead, where it is not so', 'No button "Save" in frame 42.')),
    idle: Type.Optional(
      oneOf(['settled', 'unsettled'], {
        description: 'Only for `idle`: whether the screen stood still, or went on moving for 2 seconds',
        examples: ['settled'],
      }),
    ),
  },
  { $id: 'UiAnswer', additionalProperties: false },
);
export type UiAnswer = Static<typeof UiAnswer>;

/** Fields of every answer about the screen. */
const SCREEN = {
  frame: whole('Number of this frame, which the refs belong to', 42),
  screen: oneOf(['on', 'off'], { description: 'Whether the display is on', examples: ['on'] }),
  app: Type.Optional(text('Name of the foreground', 'Notes')),
  orientation: oneOf(ORIENTATIONS, { description: 'How the display is held', examples: ['portrait'] }),
  display: Type.Optional(text('The active display, of a device with more than one', 'inner')),
  nodeCount: whole('How many elements there are', 31),
  truncated: Flag('There are more elements than an answer can hold'),
  missing: Type.Optional(
    Type.Array(Type.String(), { description: 'What this device cannot tell of its elements', examples: [['value']] }),
  ),
};

/** What is on the screen. */
export const UiTree = Type.Object(
  { ...SCREEN, nodes: Type.Array(UiNodeSchema, { description: 'The outermost elements, as they are drawn' }) },
  { $id: 'UiTree', additionalProperties: false },
);

/** The same in words. */
export const UiOutline = Type.Object(
  { ...SCREEN, outline: Type.String({ description: 'Lines of text', examples: ['button "New note" @4'] }) },
  { $id: 'UiOutline', additionalProperties: false },
);

export type UiOutline = Static<typeof UiOutline>;
export type UiTree = Omit<UiOutline, 'outline'> & { nodes: readonly UiNode[] };
