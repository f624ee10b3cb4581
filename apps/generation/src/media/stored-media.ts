/** A media file in the library. */
export interface StoredMedia {
  readonly id: string;
  readonly url: string;
}
