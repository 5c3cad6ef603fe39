import { GET, POST, type SessionCall, type SessionCommand } from '../command.ts';
import { WebDriverFailure } from '../failure.ts';
import { tapped } from '../inputs.ts';
import { type Placed, Screen } from '../screen.ts';

interface Alert {
  readonly screen: Screen;
  readonly within: readonly Placed[];
}

/** The alert in front: what is asked before anything else can be done. */
async function alert({ session, signal }: SessionCall): Promise<Alert> {
  const screen = await Screen.of(session, signal);
  const top = screen.elements.findLast(({ node }) => node.role === 'alert' || node.role === 'sheet');
  if (!top) throw new WebDriverFailure('no such alert', 'There is no alert on the screen.');
  const isWithin = ({ parent }: Placed): boolean => parent !== undefined && (parent === top || isWithin(parent));
  return { screen, within: screen.elements.filter(isWithin) };
}

/** Taps the button of a label, or else the last one to accept and the first one to dismiss, as both platforms order them. */
export async function answered(call: SessionCall, answer: 'accept' | 'dismiss', label?: string): Promise<void> {
  const { screen, within } = await alert(call);
  const buttons = within.filter(({ node }) => node.role === 'button');
  const named = buttons.find(({ node }) => node.name === label);
  const button = label === undefined ? buttons.at(answer === 'accept' ? -1 : 0) : named;
  if (button) return tapped(call.session, screen, button, call.signal);
  const names = buttons.map(({ node }) => JSON.stringify(node.name ?? '')).join(', ');
  throw new WebDriverFailure(
    'no such alert',
    names === '' ? 'The alert has no button.' : `The alert has the buttons ${names}.`,
  );
}

export const ALERT_COMMANDS: readonly SessionCommand[] = [
  GET('alert/text', async (call) => {
    const { within } = await alert(call);
    const texts = within.filter(({ node }) => node.role === 'heading' || node.role === 'text');
    return texts.map(({ node }) => node.name ?? node.value ?? '').join('\n');
  }),
  POST('alert/accept', (call) => answered(call, 'accept')),
  POST('alert/dismiss', (call) => answered(call, 'dismiss')),
];
