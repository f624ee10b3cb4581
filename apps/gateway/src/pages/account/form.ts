import { MAX_PASSWORD, MIN_PASSWORD } from '../../accounts/index.ts';
import { escapeHtml } from '../../text/escape-html.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  /** The value that the browser may fill in. */
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly hint?: string;
}

/**
 * A form that is sent to the page's own path, without its query.
 * @param path the last part of the path, which is relative, so that it works behind a proxy that adds a prefix
 */
export const form = (
  path: string,
  { hidden = {}, fields, button }: { hidden?: object; fields: readonly Field[]; button: string },
): string =>
  `<form method="post" action="${escapeHtml(path)}">
${Object.entries(hidden)
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`)
  .concat(fields.map(input))
  .join('\n')}
<button>${escapeHtml(button)}</button>
</form>`;

function input({ name, label, type, autocomplete, value, minLength, maxLength, hint }: Field): string {
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="${maxLength}"`,
    ...(minLength === undefined ? [] : [`minlength="${minLength}"`]),
    ...(value === undefined ? [] : [`value="${escapeHtml(value)}"`]),
    ...(hint === undefined ? [] : [`aria-describedby="${name}-hint"`]),
  ];
  return `<label for="${name}">${escapeHtml(label)}</label>
<input ${attributes.join(' ')}>${hint === undefined ? '' : `<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>`}`;
}

export const newPasswordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  hint: `At least ${MIN_PASSWORD} characters. Several words are easy to remember and hard to guess.`,
};

export const currentPasswordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  maxLength: 1000,
};

export const emailField = (value: string | undefined): Field => ({
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  maxLength: 254,
  value,
});
