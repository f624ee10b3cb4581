declare module 'linebreak' {
  /** The Unicode line breaking algorithm (UAX #14). */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
