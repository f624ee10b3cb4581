/** What a mail says, before it is laid out as text and as HTML. All of it is plain text. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** `path` is of the console. */
  readonly button?: { readonly label: string; readonly path: string };
  /** For who did not expect this mail. */
  readonly footnote: string;
}

/** A path of the console with values in its query. */
export const pathWith = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;
