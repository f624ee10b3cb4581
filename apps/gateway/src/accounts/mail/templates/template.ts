/** The content of a mail, as plain text. It is laid out as text and as HTML. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The posts and accounts that it reports. */
  readonly items?: readonly MailItem[];
  readonly afterItems?: string;
  /** `path` is a path of the web app. */
  readonly button?: { readonly label: string; readonly path: string };
  /** For people who did not expect this mail. */
  readonly footnote: string;
  /** For mails that can be turned off: a path of the gateway, which works without a web app too. */
  readonly unsubscribePath?: string;
}

/** A post or an account that a mail reports. `path` is a path of the web app. */
export interface MailItem {
  readonly title: string;
  readonly lines: readonly string[];
  readonly path: string;
}

/** A path with a query. */
export const pathWith = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;
