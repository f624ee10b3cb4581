import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import type { Draft, MadeCreative } from '../jobs/drafts/draft.ts';
import type { BusinessLook, JobRequest } from '../jobs/store/jobs.ts';
import type { Brief, Copy, Idea } from '../writing/composer.ts';

/** What a creative is made of. */
export interface CreativeOrder {
  readonly jobId: string;
  readonly draft: Draft;
  readonly copy: Copy;
  readonly idea: Idea;
  readonly brief: Brief;
  readonly look: BusinessLook;
  readonly request: JobRequest;
  readonly metadata: CallMetadata;
  readonly signal: AbortSignal;
}

/** What came of an order: the creative, or that a provider works on it. */
export type CreativeResult = { readonly made: MadeCreative } | { readonly providerId: string; readonly waitMs: number };

/**
 * Makes what a post shows. It may be asked again for the same order, after a process died: ids of media derive from the job and the draft.
 * @throws CreativeFailed, DomainError of the library, and what may pass
 */
export type Creative = (context: Context, order: CreativeOrder) => Promise<CreativeResult>;

/** It cannot be made; the message is for the caller. Trying again does not help. */
export class CreativeFailed extends Error {
  override readonly name = 'CreativeFailed';
}

/** The operation that the media of a draft derive from. */
export const mediaOperation = (draft: Draft, name: string): string => `draft.${draft.index}.${name}`;
