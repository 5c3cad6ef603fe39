import type { Account, Invitation } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import type { Api } from '../../page/api.ts';
import { whileBusy } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { field } from '../../page/field.ts';
import { failureBox } from '../../page/notice.ts';
import { fromNow } from '../ui/words.ts';

/** Context of the pages for users who are not signed in. */
export interface Entrance {
  readonly api: Api;
  /** Called after the user has signed in. */
  entered(account: Account): void;
}

/** The form for e-mail and password. `note` says why it is shown, if that is not obvious. */
export function signInForm({ api, entered }: Entrance, note?: string): HTMLElement {
  const email = field('E-mail', { type: 'email', required: true, autocomplete: 'username' });
  const password = field('Password', {
    type: 'password',
    required: true,
    autocomplete: 'current-password',
    maxlength: '200',
  });
  return entrance(
    'Sign in',
    [...(note === undefined ? [] : [element('p', { role: 'status' }, note)]), email.row, password.row],
    'Sign in',
    async () => {
      const credentials = { email: email.input.value, password: password.input.value };
      entered(await api.ask(routeTo('POST /service/account/sign-in'), { body: credentials }));
    },
    [
      'Did you start this service yourself? Print a link that signs you in: ',
      element('code', {}, 'npm run --silent admin -- account sign-in local'),
      '. Otherwise ask its operator for an invitation.',
    ],
  );
}

/** The form in which an invited user chooses a password. */
export async function welcomeForm({ api, entered }: Entrance, token: string): Promise<HTMLElement> {
  let invitation: Invitation;
  try {
    invitation = await api.ask(routeTo('POST /service/account/invitations/read'), { body: { token } });
  } catch (error) {
    return card('Welcome', failureBox(error), signInLink());
  }
  // Shown, and read by password managers.
  const email = field('E-mail', { type: 'email', readonly: true, autocomplete: 'username', value: invitation.email });
  const password = field(
    'Password',
    { type: 'password', required: true, minlength: '10', maxlength: '200', autocomplete: 'new-password' },
    'At least 10 characters. A few unrelated words make a good password.',
  );
  return entrance(
    invitation.isNew ? 'Welcome' : 'Choose a new password',
    [email.row, password.row],
    'Save and sign in',
    async () => {
      const accepted = { token, password: password.input.value };
      entered(await api.ask(routeTo('POST /service/account/invitations/accept'), { body: accepted }));
    },
    [`You can use this invitation once. It expires ${fromNow(invitation.expiresAt)}.`],
  );
}

/** A sign-in link needs nothing more; whoever comes by it again is told why it does not work. */
export async function enterByLink({ api, entered }: Entrance, token: string): Promise<HTMLElement> {
  try {
    entered(await api.ask(routeTo('POST /service/account/sign-in-links'), { body: { token } }));
    return card('Signing in');
  } catch (error) {
    return card('Sign in', failureBox(error), signInLink());
  }
}

const signInLink = () => element('a', { href: '/dashboard/sign-in', class: 'button' }, 'Sign in with a password');

function card(title: string, ...content: Node[]): HTMLElement {
  const heading = element('h1', { tabindex: '-1' }, title);
  const brand = element('p', { class: 'brand' }, 'RunCloud');
  return element('main', { class: 'entrance' }, element('div', { class: 'panel' }, brand, heading, ...content));
}

function entrance(
  title: string,
  rows: Node[],
  label: string,
  submitted: () => Promise<void>,
  below: readonly (Node | string)[],
): HTMLElement {
  const failure = element('div', {});
  const submit = element('button', { class: 'button primary' }, label);
  const form = element('form', {}, ...rows, failure, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submit, 'One moment…', async () => {
      failure.replaceChildren();
      try {
        await submitted();
      } catch (error) {
        failure.replaceChildren(failureBox(error));
      }
    });
  });
  return card(title, form, element('p', { class: 'quiet' }, ...below));
}
