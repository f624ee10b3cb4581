import { escape } from '../pages/html-page.ts';
import type { Behavior, ReceivedWebhook, Receivers } from './receiver.ts';

const refreshSeconds = 3;
const shownWebhooks = 50;

/** What has arrived, newest first. Reloads itself, or else has the settings of the receivers. */
export function webhookPage(receivers: Receivers, { baseUrl, reloads }: { baseUrl: string; reloads: boolean }): string {
  const all = receivers.list();
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${reloads ? `<meta http-equiv="refresh" content="${refreshSeconds}">` : ''}<title>Webhooks</title><link rel="stylesheet" href="/_control/sandbox.css"></head>
<body class="inbox"><header class="top"><h1>Webhooks</h1>
<p>Create an endpoint with the URL <code>${escape(baseUrl)}/_webhooks/inbox</code> (any name at the end), and what is sent to it appears here.</p>
<nav><a href="/">timeline</a> <a href="/_dev/mail">mail</a> <a href="/_control/webhooks">as JSON</a> ${
    reloads ? '<a href="/_webhooks?still">verify signatures, or fail on purpose</a>' : '<a href="/_webhooks">reload automatically</a>'
  }</nav></header>
<main>${reloads ? '' : settings(receivers.settings())}${
    all.length > 0
      ? all.slice(0, shownWebhooks).map(card).join('\n')
      : `<p class="empty">No webhook yet.${reloads ? ' This page reloads every few seconds.' : ''}</p>`
  }</main></body></html>`;
}

const BEHAVIORS = {
  accept: 'accept (204)',
  fail: 'fail (500)',
  gone: 'be gone (410)',
  limit: 'request a wait (429, 10 s)',
  stall: 'never respond',
  drip: 'respond slowly without end',
  endless: 'respond without end',
  redirect: 'redirect',
  drop: 'close the connection',
} as const;

export type BehaviorName = keyof typeof BEHAVIORS;
export const BEHAVIOR_NAMES = Object.keys(BEHAVIORS) as BehaviorName[];

/** Only on the page that does not reload, which would discard what is entered. */
const settings = (receivers: ReturnType<Receivers['settings']>) =>
  receivers
    .map(
      ({ name, hasSecret, behavior }) => `<details class="part" open><summary>Receiver ${escape(name)}</summary>
<form method="post" action="/_webhooks"><input type="hidden" name="name" value="${escape(name)}">
<p><label>Secret of the endpoint (whsec_…)${hasSecret ? ': known. Enter another one to replace it' : ', to verify signatures'}<br>
<input name="secret" autocomplete="off" size="50"></label></p>
<p><label>It shall<br><select name="behavior">${Object.entries(BEHAVIORS)
        .map(([each, text]) => `<option value="${each}"${each === nameOf(behavior) ? ' selected' : ''}>${escape(text)}</option>`)
        .join('')}</select></label></p>
<button>Set</button></form></details>`,
    )
    .join('');

/** The option of the form that is closest. */
function nameOf(behavior: Behavior): BehaviorName {
  if (behavior.type !== 'status') return behavior.type;
  return behavior.status === 410 ? 'gone' : behavior.status === 429 ? 'limit' : 'fail';
}

function card({ name, received_at, headers, body, signature, behavior }: ReceivedWebhook): string {
  const lines = Object.entries(headers).map(([header, value]) => `<tr><th>${escape(header)}</th><td>${escape(value)}</td></tr>`);
  const state = signature === 'invalid' ? 'failed' : signature === 'valid' ? '' : 'processing';
  return `<details class="part webhook"><summary>${escape(titleOf(body))}
<span class="gist">${escape(received_at.slice(11, 19))} UTC · ${escape(name)} · signature <span class="state ${state}">${signature}</span>${
    behavior === 'accept' ? '' : ` · responded: ${behavior}`
  }</span></summary>
<pre>${escape(indented(body))}</pre><table>${lines.join('')}</table></details>`;
}

/** The type of an event, or the text of a message for Slack or Discord. */
function titleOf(body: string): string {
  const { type, text, content } = parsed(body) as { type?: unknown; text?: unknown; content?: unknown };
  const title = [type, text, content].find((one) => typeof one === 'string');
  return (title ?? 'Not an event').slice(0, 200);
}

const indented = (body: string) => {
  const value = parsed(body);
  return Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : body;
};

function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
