/** A media of the library. */
export interface StoredMedia {
  readonly id: string;
  readonly url: string;
}
