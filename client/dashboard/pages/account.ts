import { routeTo } from '../../../protocol/routes/address.ts';
import { button, whileBusy } from '../../page/button.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { field } from '../../page/field.ts';
import { failureBox, failureText } from '../../page/notice.ts';
import { page, section } from '../ui/page.ts';
import { dateAndTime } from '../ui/words.ts';
import type { Context, View } from '../view.ts';

export const accountPage: View = (context) => {
  const { account, api, say } = context;
  const facts: readonly (readonly [string, string])[] = [
    ['Name', account.name],
    ['Account', account.id],
    ['Organization', account.organizationId],
    ['Since', dateAndTime(account.createdAt)],
  ];
  const out = button('Sign out', () => {
    void whileBusy(out, 'Signing out…', async () => {
      await api.ask(routeTo('POST /service/account/sign-out'));
      api.onSignedOut();
    }).catch((error) => say(failureText(error)));
  });
  return page(
    'Account',
    [out],
    element(
      'dl',
      { class: 'facts-list' },
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    ),
    section(account.email === undefined ? 'Choose a password' : 'E-mail and password', passwordForm(context)),
    section(
      'If somebody else may have access',
      element(
        'p',
        { class: 'quiet' },
        'Revoke all API keys and viewer links and sign out all programs and other browsers. Their connections close; sessions go on.',
      ),
      button('Revoke everything…', () => void revokeEverything(context), { look: 'danger' }),
    ),
  );
};

async function revokeEverything({ api, say }: Context): Promise<void> {
  const confirmed = await openDialog({
    title: 'Revoke everything?',
    content: [element('p', {}, 'Programs need new keys afterwards. Only this browser stays signed in.')],
    confirm: 'Revoke everything',
    busy: 'Revoking…',
    look: 'danger',
    onConfirm: async () => {
      await api.ask(routeTo('POST /service/account/revocations'), { body: {} });
    },
  });
  if (confirmed) say('Everything was revoked.');
}

function passwordForm({ account, api, say, changed }: Context): HTMLElement {
  const hasPassword = account.email !== undefined;
  const email = field('E-mail', {
    type: 'email',
    required: true,
    autocomplete: 'username',
    value: account.email ?? '',
  });
  const current = field(
    'Current password',
    { type: 'password', autocomplete: 'current-password' },
    'Optional within 30 minutes after you signed in.',
  );
  const password = field(
    hasPassword ? 'New password' : 'Password',
    { type: 'password', required: true, minlength: '10', maxlength: '200', autocomplete: 'new-password' },
    'At least 10 characters. A few unrelated words make a good password.',
  );
  const failure = element('div', {});
  const submit = element('button', { class: 'button primary' }, hasPassword ? 'Change' : 'Save');
  const form = element(
    'form',
    { class: 'narrow' },
    email.row,
    ...(hasPassword ? [current.row] : []),
    password.row,
    failure,
    submit,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submit, 'Saving…', async () => {
      failure.replaceChildren();
      try {
        const next = await api.ask(routeTo('POST /service/account/password'), {
          body: {
            email: email.input.value,
            password: password.input.value,
            ...(current.input.value === '' ? {} : { currentPassword: current.input.value }),
          },
        });
        say('Saved. Other browsers were signed out.');
        changed(next);
      } catch (error) {
        failure.replaceChildren(failureBox(error));
      }
    });
  });
  return form;
}
