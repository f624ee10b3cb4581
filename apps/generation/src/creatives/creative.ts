import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import type { Draft, MadeCreative } from '../jobs/drafts/draft.ts';
import type { BusinessLook, JobRequest } from '../jobs/job.ts';
import type { Brief, Copy, Idea } from '../writing/composer.ts';
import type { LibraryImage } from './library-image.ts';

/** What a creative is made of. */
export interface CreativeOrder {
  readonly jobId: string;
  readonly draft: Draft;
  readonly copy: Copy;
  readonly idea: Idea;
  readonly brief: Brief;
  readonly look: BusinessLook;
  readonly request: JobRequest;
  /** The images of the business's library, read once for a job. */
  readonly libraryImages: () => Promise<readonly LibraryImage[]>;
  readonly metadata: CallMetadata;
  readonly signal: AbortSignal;
}

/** The result of an order: the creative, or a pending job of a provider. */
type CreativeResult = { readonly made: MadeCreative } | { readonly providerId: string; readonly waitMs: number };

/**
 * Makes the media of a post. After a crash it may run again for the same order: ids of media files derive from the job and the post.
 * @throws CreativeFailed, DomainError of the library, and transient errors
 */
export type Creative = (context: Context, order: CreativeOrder) => Promise<CreativeResult>;

/** The creative cannot be made; the message is for the caller. A retry does not help. */
export class CreativeFailed extends Error {
  override readonly name = 'CreativeFailed';
}

/** The operation from which the ids of a generated post's media files derive. */
export const mediaOperation = (draft: Draft, name: string): string => `draft.${draft.index}.${name}`;
