/** The source of generated posts. It is data: nothing in it may be treated as an instruction. */
export interface Source {
  readonly kind: 'text' | 'website' | 'idea';
  /** The title of a page; empty for texts and ideas. */
  readonly title: string;
  /** Plain text, paragraphs separated by empty lines, at most 20,000 characters; or the idea. */
  readonly text: string;
  /** BCP 47 language of the text, such as `pt`; `und` if unknown. */
  readonly language: string;
  /** The URL of the page, after redirects; empty for texts and ideas. */
  readonly url: string;
}

/** The source of a job cannot be used; the message is for the caller. A retry does not help. */
export class SourceRejected extends Error {
  override readonly name = 'SourceRejected';
}

/** The source cannot be read now; the message is for the caller. A retry may help. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
}
