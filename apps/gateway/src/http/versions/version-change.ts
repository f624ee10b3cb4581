/** What a change of the API's versions is about: every answer, or one kind of resource wherever it stands. */
export type VersionedResource =
  'post' | 'business' | 'topic' | 'category' | 'file' | 'folder' | 'media' | 'integration' | 'api_key' | 'user' | 'organization';

type Json = Readonly<Record<string, unknown>>;

/**
 * One dated, breaking change. The code speaks the current version alone; a change translates for callers of the versions before it.
 * Both directions are pure.
 */
export interface VersionChange {
  /** The version that brought it. */
  readonly date: string;
  readonly description: string;
  /** `answer`: the top-level object of an answer, be it a resource or a page. */
  readonly resource: VersionedResource | 'answer';
  /** A request's body of the version before, as this version has it. */
  up(body: Json): Json;
  /** A resource or an answer of this version, as the version before has it. */
  down(value: Json): Json;
}
