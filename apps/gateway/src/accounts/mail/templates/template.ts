/** What a mail says, before it is laid out as text and as HTML. All of it is plain text. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What it tells of, one by one. */
  readonly items?: readonly LetterItem[];
  readonly afterItems?: string;
  /** `path` is of the console. */
  readonly button?: { readonly label: string; readonly path: string };
  /** For who did not expect this mail. */
  readonly footnote: string;
  /** Of a mail that can be switched off: a path of the gateway, which does that whether there is a console or not. */
  readonly unsubscribePath?: string;
}

/** One of the things that a mail tells of. `path` is of the console. */
export interface LetterItem {
  readonly title: string;
  readonly lines: readonly string[];
  readonly path: string;
}

/** A path with values in its query. */
export const pathWith = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;
