import type { Session } from '../../../client/sdk/sessions.ts';
import { systemClock } from '../../flow/clock.ts';
import { poll } from '../../flow/poll.ts';
import { GET, POST, type SessionCall, type SessionCommand } from '../command.ts';
import { elementOf, referenceTo } from '../element-id.ts';
import { WebDriverFailure } from '../failure.ts';
import { find } from '../find.ts';
import { cleared, tapped, typed } from '../inputs.ts';
import { type Placed, Screen } from '../screen.ts';
import { attributesOf, classOf, valueIn } from '../source.ts';

/** Between two looks for an element. */
const LOOK_MS = 100;

/** An element that a command names, on the screen as it is. */
export interface Named {
  readonly screen: Screen;
  readonly placed: Placed;
}

export async function named({ session, params, signal }: SessionCall): Promise<Named> {
  const screen = await Screen.of(session, signal);
  return { screen, placed: elementOf(screen, params.element ?? '') };
}

interface Found {
  /** How it was looked for. */
  readonly using: string;
  readonly value: string;
  readonly screen: Screen;
  readonly elements: readonly Placed[];
}

/** Looks until there is an element, for as long as the session's implicit wait says. */
async function found(call: SessionCall): Promise<Found> {
  const { session, fields, params, signal, timeouts } = call;
  const [using, value] = [fields.text('using'), fields.text('value')];
  const look = async (): Promise<Found> => {
    const screen = await Screen.of(session, signal);
    const within = params.element === undefined ? undefined : elementOf(screen, params.element);
    return { using, value, screen, elements: find(screen, using, value, within) };
  };
  const times = { everyMs: LOOK_MS, forMs: timeouts.of(session.id).implicit, signal };
  return poll(systemClock, times, look, ({ elements }) => elements.length > 0);
}

async function findOne(call: SessionCall) {
  const { using, value, screen, elements } = await found(call);
  const [first] = elements;
  if (first) return referenceTo(screen, first);
  const names = screen.elements.flatMap(({ node: { name, system, ref } }) =>
    system || !ref || !name ? [] : [JSON.stringify(name)],
  );
  const there =
    names.length === 0
      ? 'Nothing on the screen can be used'
      : `On the screen: ${[...new Set(names)].slice(0, 8).join(', ')}`;
  throw new WebDriverFailure('no such element', `No element has the ${using} ${JSON.stringify(value)}. ${there}.`);
}

async function findAll(call: SessionCall) {
  const { screen, elements } = await found(call);
  return elements.map((placed) => referenceTo(screen, placed));
}

/** What an element says: what stands in it, else its name, else what the elements within it say. */
export function textOf({ node }: Placed): string {
  const text = node.value ?? node.name;
  if (text !== undefined) return text;
  return (node.children ?? [])
    .map((child) => textOf({ node: child, parent: undefined }))
    .filter(Boolean)
    .join(' ');
}

async function attribute(call: SessionCall): Promise<string | null> {
  const { screen, placed } = await named(call);
  const siblings = placed.parent?.node.children ?? screen.tree.nodes;
  const own = attributesOf(screen, placed.node, siblings.indexOf(placed.node));
  const name = call.params.name ?? '';
  return own[name] ?? ALIASES[screen.platform][name]?.(own) ?? null;
}

type Attributes = Readonly<Record<string, string>>;
/** What Appium's drivers take beside the attributes of the source. */
const ALIASES: Readonly<Record<'ios' | 'android', Readonly<Record<string, (own: Attributes) => string | undefined>>>> =
  {
    ios: {
      rect: ({ x, y, width, height }) =>
        JSON.stringify({ x: Number(x), y: Number(y), width: Number(width), height: Number(height) }),
    },
    android: {
      name: (own) => own['content-desc'] ?? own.text,
      className: (own) => own.class,
      contentDescription: (own) => own['content-desc'],
      resourceId: (own) => own['resource-id'],
    },
  };

/** Inputs wait for an element that an animation still moves: a reference is found anew where its frame has ended meanwhile. */
const onElement =
  (act: (session: Session, named: Named, call: SessionCall) => Promise<void>) =>
  (call: SessionCall): Promise<void> =>
    retried(async () => act(call.session, await named(call), call));

const TRIES = 5;

async function retried(act: () => Promise<void>): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await act();
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (left === 0 || !(code === 'ref_of_other_frame' || code === 'ref_expired')) throw error;
    }
  }
}

const ELEMENT = 'element/{element}';

export const ELEMENT_COMMANDS: readonly SessionCommand[] = [
  POST('element', findOne),
  POST('elements', findAll),
  GET('element/active', async ({ session, signal }) => {
    const screen = await Screen.of(session, signal);
    const focused = screen.elements.find(({ node }) => node.focused);
    if (!focused) throw new WebDriverFailure('no such element', 'No element has the focus.');
    return referenceTo(screen, focused);
  }),
  POST(`${ELEMENT}/element`, findOne),
  POST(`${ELEMENT}/elements`, findAll),
  POST(
    `${ELEMENT}/click`,
    onElement((session, { screen, placed }, { signal }) => tapped(session, screen, placed, signal)),
  ),
  POST(
    `${ELEMENT}/value`,
    onElement((session, { screen, placed }, { fields, signal }) =>
      typed(session, screen, placed, textGiven(fields), signal),
    ),
  ),
  POST(
    `${ELEMENT}/clear`,
    onElement((session, { screen, placed }, { signal }) => cleared(session, screen, placed, signal)),
  ),
  GET(`${ELEMENT}/text`, async (call) => textOf((await named(call)).placed)),
  GET(`${ELEMENT}/name`, async (call) => {
    const { screen, placed } = await named(call);
    return classOf(screen.platform, placed.node);
  }),
  GET(`${ELEMENT}/attribute/{name}`, attribute),
  GET(`${ELEMENT}/property/{name}`, attribute),
  GET(`${ELEMENT}/rect`, async (call) => {
    const { screen, placed } = await named(call);
    return screen.rectOf(placed.node);
  }),
  GET(`${ELEMENT}/enabled`, async (call) => !(await named(call)).placed.node.disabled),
  GET(`${ELEMENT}/selected`, async (call) => {
    const { node } = (await named(call)).placed;
    return node.selected === true || valueIn(node) === '1';
  }),
  GET(`${ELEMENT}/displayed`, (call) =>
    named(call).then(
      () => true,
      (error: unknown) => {
        // Only what is in sight is told.
        if (error instanceof WebDriverFailure && error.code === 'stale element reference') return false;
        throw error;
      },
    ),
  ),
];

/** W3C WebDriver has a `text`, older clients a list of characters in `value`. */
function textGiven(fields: SessionCall['fields']): string {
  return fields.has('text') ? fields.text('text') : fields.list('value').map(String).join('');
}
