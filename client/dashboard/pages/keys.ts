import type { CreatedKey, KeyRecord, TokenRecord } from '@runcloud/protocol';
import { routeTo } from '../../../protocol/routes/address.ts';
import { button } from '../../page/button.ts';
import { copyField } from '../../page/copy-field.ts';
import { openDialog } from '../../page/dialog.ts';
import { element } from '../../page/element.ts';
import { choice, field } from '../../page/field.ts';
import { emptyState } from '../../page/notice.ts';
import { Extent, readList } from '../paged.ts';
import { loaded, page, section } from '../ui/page.ts';
import { row } from '../ui/row.ts';
import { fromNow } from '../ui/words.ts';
import type { Context, View } from '../view.ts';

const LIVES = [
  ['168h', '7 days'],
  ['720h', '30 days'],
  ['2160h', '90 days'],
  ['8760h', '1 year'],
  ['', 'Until it is revoked'],
] as const;

export const keysPage: View = (context) => {
  const { api, leaving } = context;
  const shownKeys = new Extent(50);
  const shownPrograms = new Extent(50);
  let known: readonly KeyRecord[] = [];
  const keys = loaded(async () => {
    const list = await readList(api, routeTo('GET /service/account/keys'), 'keys', { signal: leaving });
    known = list.items;
    if (list.items.length > 0) return shownKeys.show(list, keyRow, () => keys.reload());
    const what = 'Programs, scripts and CI send a key with each request. Create one key for each of them.';
    return emptyState(
      'keys',
      'No API keys',
      what,
      button('Create a key', () => void create(), { icon: 'plus' }),
    );
  });
  const programs = loaded(async () => {
    const enough = (tokens: readonly TokenRecord[]) => tokens.length >= shownPrograms.count;
    const tokens = await readList(api, routeTo('GET /service/account/tokens'), 'tokens', {
      signal: leaving,
      isEnough: enough,
    });
    if (tokens.items.length > 0) return shownPrograms.show(tokens, tokenRow, () => programs.reload());
    return element('p', { class: 'quiet' }, 'None. Use “runcloud login” to sign in the command line.');
  });

  const create = async () => {
    if (await createKey(context)) await keys.reload();
  };
  const keyRow = (key: KeyRecord) => {
    const expired = key.expiresAt !== undefined && Date.parse(key.expiresAt) <= Date.now();
    const life =
      key.expiresAt === undefined ? 'never expires' : `${expired ? 'expired' : 'expires'} ${fromNow(key.expiresAt)}`;
    const used = key.lastUsedAt === undefined ? 'never used' : `last used ${fromNow(key.lastUsedAt)}`;
    const facts = [`created ${fromNow(key.createdAt)}`, life, used];
    const what = 'Programs that use it lose access at once. This cannot be undone.';
    const revoke = () => {
      const made = known.filter(({ mintedBy }) => mintedBy === key.id).map(({ name }) => `“${name}”`);
      const all = element('input', { type: 'checkbox', checked: '' });
      // Offered even if no name is known: a key that it created may be revoked already but may have created others.
      const names = made.length > 0 ? `: ${made.join(', ')}` : '';
      const offer = element(
        'label',
        {},
        all,
        ` Also revoke all keys that it created and sign out all programs that it approved${names}`,
      );
      const to = routeTo('DELETE /service/account/keys/{keyId}', { keyId: key.id });
      const ask = () => api.ask(to, all.checked ? { query: { minted: 'true' } } : {});
      return end(`Revoke the key “${key.name}”?`, what, 'Revoke', ask, keys.reload, [offer]);
    };
    return row(
      key.id,
      key.name,
      facts,
      button('Revoke', () => void revoke(), { attributes: { 'aria-label': `Revoke ${key.name}` } }),
      { faded: expired },
    );
  };
  const tokenRow = (token: TokenRecord) => {
    const name = token.deviceName === undefined ? token.client : `${token.client} on ${token.deviceName}`;
    const used = token.lastUsedAt === undefined ? 'never used' : `last used ${fromNow(token.lastUsedAt)}`;
    const facts = [`signed in ${fromNow(token.createdAt)}`, used];
    const what = 'It loses access at once and must sign in again.';
    const ask = () => api.ask(routeTo('DELETE /service/account/tokens/{tokenId}', { tokenId: token.id }));
    const signOut = () => end(`Sign out ${name}?`, what, 'Sign out', ask, programs.reload);
    return row(
      token.id,
      name,
      facts,
      button('Sign out', () => void signOut(), { attributes: { 'aria-label': `Sign out ${name}` } }),
    );
  };
  const end = async (
    title: string,
    text: string,
    confirm: string,
    ask: () => Promise<unknown>,
    reload: () => Promise<void>,
    more: readonly Node[] = [],
  ) => {
    const onConfirm = async () => void (await ask());
    if (await openDialog({ title, content: [element('p', {}, text), ...more], confirm, look: 'danger', onConfirm }))
      await reload();
  };
  return page(
    'API keys',
    [
      element('a', { href: '/docs' }, 'API reference'),
      button('Create a key', () => void create(), { look: 'primary', icon: 'plus' }),
    ],
    keys.place,
    section('Signed-in programs', programs.place),
  );
};

/** Asks for a name, makes the key, and shows it this once. */
async function createKey({ api }: Context): Promise<boolean> {
  const name = field(
    'Name',
    { required: true, maxlength: '64', autocomplete: 'off' },
    'The program that will use it, such as “CI” or “laptop”.',
  );
  const life = choice('Expires after', LIVES, '720h');
  let made: CreatedKey | undefined;
  await openDialog({
    title: 'Create an API key',
    content: [name.row, life.row],
    confirm: 'Create key',
    busy: 'Creating…',
    onConfirm: async () => {
      const ttl = life.select.value;
      const body = { name: name.input.value.trim(), ...(ttl === '' ? {} : { ttl }) };
      made = await api.ask(routeTo('POST /service/account/keys'), { body });
    },
  });
  if (!made) return false;
  await openDialog({
    title: `The key “${made.name}”`,
    content: [
      element(
        'p',
        {},
        'Copy it now: it is not shown again. Keep it out of source code; give it to programs as RUNCLOUD_API_KEY.',
      ),
      copyField('API key', made.key),
    ],
  });
  return true;
}
