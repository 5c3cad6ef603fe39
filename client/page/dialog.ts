import { button, whileBusy } from './button.ts';
import { element } from './element.ts';
import { failureBox } from './notice.ts';

export interface DialogOptions {
  readonly title: string;
  readonly content: readonly (Node | string)[];
  /** Label of the main button; without it the dialog has only a button to close it. */
  readonly confirm?: string;
  readonly busy?: string;
  readonly look?: 'primary' | 'danger';
  readonly wide?: boolean;
  /** Further buttons and links, before the main button. */
  readonly actions?: readonly HTMLElement[];
  /** Called when the dialog is shown. */
  readonly ready?: () => void;
  /** Called when the dialog is closed without being confirmed. */
  readonly onCancel?: () => void;
  /** Runs before the dialog closes; when it fails the dialog stays and says why. */
  readonly onConfirm?: () => Promise<void>;
}

let dialogs = 0;

/** A modal dialog; resolves with whether it was confirmed. The focus goes back to where it was. */
export function openDialog(options: DialogOptions): Promise<boolean> {
  const { title, content, confirm, actions = [], onConfirm, look = 'primary', busy = 'One moment…' } = options;
  const id = `dialog-${++dialogs}`;
  const opener = document.activeElement;
  const failure = element('div', {});
  const cancel = button(confirm === undefined ? 'Close' : 'Cancel', () => dialog.close());
  const buttons = element('div', { class: 'actions' }, cancel, ...actions);
  const submit = element('button', { class: `button ${look}` }, confirm ?? '');
  if (confirm !== undefined) buttons.append(submit);
  const form = element('form', { method: 'dialog' }, element('h2', { id }, title), ...content, failure, buttons);
  const dialog = element('dialog', { 'aria-labelledby': id, class: options.wide ? 'wide' : '' }, form);
  let confirmed = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submit, busy, async () => {
      failure.replaceChildren();
      try {
        await onConfirm?.();
        confirmed = true;
        dialog.close();
      } catch (error) {
        failure.replaceChildren(failureBox(error));
      }
    });
  });
  document.body.append(dialog);
  dialog.showModal();
  // The first button has the focus now. In a low window it lies below the words, which are read first.
  dialog.scrollTop = 0;
  options.ready?.();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (!confirmed) options.onCancel?.();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      resolve(confirmed);
    });
  });
}
