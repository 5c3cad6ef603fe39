import type { DeviceRequest } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button, whileBusy } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { field } from '../../page/field.ts';
import { failureBox } from '../../page/notice.ts';
import { page } from '../ui/page.ts';
import { fromNow } from '../ui/words.ts';
import type { Context, View } from '../view.ts';

/** Approval of a sign-in request (device flow): you compare the code, check the program and its address, and decide. */
export const devicePage: View = (context) => {
  const given = new URLSearchParams(location.search).get('user_code') ?? '';
  const place = element('div', { class: 'narrow' });
  askForCode(context, place, given);
  return page('Sign in a program', [], place);
};

function askForCode(context: Context, place: HTMLElement, given: string): void {
  const code = field(
    'Code',
    {
      required: true,
      value: given.slice(0, 20),
      autocomplete: 'off',
      autocapitalize: 'characters',
      spellcheck: 'false',
      class: 'code',
      maxlength: '20',
    },
    'Eight letters, shown by the program.',
  );
  const failure = element('div', {});
  const submit = element('button', { class: 'button primary' }, 'Continue');
  const form = element('form', {}, code.row, failure, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submit, 'Looking…', async () => {
      try {
        const userCode = code.input.value.replace(/[\s/]/g, '') || '-';
        const to = routeTo('GET /service/account/device-requests/{userCode}', { userCode });
        decide(context, place, userCode, await context.api.ask(to));
      } catch (error) {
        failure.replaceChildren(failureBox(error));
      }
    });
  });
  place.replaceChildren(form);
}

function decide({ api, account }: Context, place: HTMLElement, userCode: string, request: DeviceRequest): void {
  const facts: readonly (readonly [string, string])[] = [
    ['Program', request.client],
    ...(request.deviceName === undefined ? [] : [['On', request.deviceName] as const]),
    ['From address', request.address],
    ['Requested', fromNow(request.createdAt)],
    ['Acts as', account.email ?? account.name],
  ];
  const failure = element('div', {});
  const to = routeTo('POST /service/account/device-requests/{userCode}', { userCode });
  const answer = (pressed: HTMLButtonElement, decision: 'approve' | 'deny') =>
    whileBusy(pressed, 'One moment…', async () => {
      const { approved } = await api.ask(to, { body: { decision } });
      const [title, text] = approved
        ? ['The program is signed in', `${request.client} continues by itself. You can close this page.`]
        : ['The request was denied', 'The program has no access. You can close this page.'];
      const heading = element('h2', { tabindex: '-1' }, title);
      place.replaceChildren(element('div', { class: 'outcome', role: 'status' }, heading, element('p', {}, text)));
      heading.focus();
    }).catch((error) => failure.replaceChildren(failureBox(error)));
  const approve = button('Approve', () => void answer(approve, 'approve'), { look: 'primary' });
  const deny = button('Deny', () => void answer(deny, 'deny'));
  const heading = element('h2', { tabindex: '-1' }, 'Is this you?');
  place.replaceChildren(
    heading,
    element('p', {}, 'Approve only if you have just started the program yourself and it shows this same code.'),
    element('p', { class: 'code big' }, request.userCode),
    element(
      'dl',
      { class: 'facts-list' },
      ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    ),
    element(
      'p',
      { class: 'quiet' },
      'It can then do everything that you can do, until you sign it out under “API keys”.',
    ),
    failure,
    element('div', { class: 'actions' }, approve, deny),
  );
  heading.focus();
}
