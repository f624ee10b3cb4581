/** What drafts are made of: data, whatever it says. Nothing in it is an instruction to anybody. */
export interface Source {
  readonly kind: 'text' | 'website' | 'idea';
  /** The title of a page; empty for texts and ideas. */
  readonly title: string;
  /** Plain text, paragraphs separated by empty lines, at most 20,000 characters; of an idea, the idea. */
  readonly text: string;
  /** BCP 47 language of the text, such as `pt`; `und` when it cannot be told. */
  readonly language: string;
  /** The page that it was read from, after redirects; empty for texts and ideas. */
  readonly url: string;
}

/** The source of a job cannot be used; the message is for the caller. Trying again does not help. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
}

/** The source cannot be read now; the message is for the caller. Trying again may help. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
}
