/** The kind of resource that a change of the API's versions is about, wherever it appears. */
export type VersionedResource =
  | 'post'
  | 'queue'
  | 'business'
  | 'topic'
  | 'category'
  | 'file'
  | 'folder'
  | 'media'
  | 'integration'
  | 'post_stats'
  | 'account_stats'
  | 'api_key'
  | 'user'
  | 'organization'
  | 'job'
  | 'design'
  | 'template'
  | 'event'
  | 'webhook'
  | 'delivery';

type Json = Readonly<Record<string, unknown>>;

/** One dated, breaking change. Code knows only the current version; a change converts for callers of earlier versions. Both directions are pure. */
export interface VersionChange {
  /** The version that introduced it. */
  readonly date: string;
  readonly description: string;
  /** `response`: the top-level object of a response, a resource or a page. */
  readonly resource: VersionedResource | 'response';
  /** Converts a request's body from the previous version to this one. */
  up(body: Json): Json;
  /** Converts a resource or a response from this version to the previous one. */
  down(value: Json): Json;
}
