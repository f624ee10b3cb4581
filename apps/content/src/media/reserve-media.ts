import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { neededMediaIds, paramOfMedia } from '../posts/needed-media.ts';
import type { PostDocument } from '../posts/post.ts';

/** Media that a post needs once a transaction has committed, reserved in the library until then: they are not deleted meanwhile. */
interface MediaReservation {
  /** Reserves all that a new post is going to need. @throws DomainError as `commit` does when media are gone */
  reserve(post: PostDocument): Promise<void>;
  /**
   * To be asked in the transaction that changes a post, before it writes. What the post needed before is reserved already, by the events of its
   * revisions; what it needs beyond that must have been reserved for this very revision, as the event of another one ends what was reserved for it.
   * @throws NotReserved which ends the transaction; `commit` runs it again when they are reserved
   */
  check(before: PostDocument, after: PostDocument): void;
  /**
   * Runs a transaction. When it is refused, what was reserved for it is given up.
   * @throws DomainError invalid_value when one of the media is gone that the caller gives, conflict when it is another; what the transaction
   * throws
   */
  commit<T>(transaction: () => Promise<T>): Promise<T>;
}

interface ReservationOptions {
  /** Fields of media that the caller gives the post just now. */
  readonly given?: readonly string[];
  /** A library that is away keeps nothing from happening: it deletes no media then, and hears of the need by event. */
  readonly isBestEffort?: boolean;
}

/** Others may change the post between a reservation and the commit that it is for. */
const MAX_ATTEMPTS = 10;
/** Of a publication, which waits for nobody for long. */
const SHORT_MS = 2_000;

/**
 * Holds media for a transaction that may make a post need them. What a crash leaves behind lapses. Where no media become needed, nobody is asked.
 */
export function reserveMedia(context: Context, metadata: CallMetadata, options: ReservationOptions = {}): MediaReservation {
  let reserved: Reserved | undefined;
  return {
    async reserve(post) {
      const mediaIds = neededMediaIds(post);
      if (mediaIds.length > 0) reserved = await reserve(context, metadata, { post, mediaIds }, options);
    },
    check(before, after) {
      checkReserved(before, after, reserved);
    },
    async commit(transaction) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transaction();
        } catch (error) {
          // Of any other failure nobody knows whether it committed.
          const isRefused = error instanceof NotReserved || error instanceof DomainError || isDuplicateKey(error);
          if (isRefused && reserved) release(context, metadata, reserved);
          if (!(error instanceof NotReserved)) throw error;
          if (attempt === MAX_ATTEMPTS)
            throw new DomainError('internal_error', `Post ${error.post._id} changes too often to reserve its media.`);
          reserved = await reserve(context, metadata, error, options);
        }
      }
    },
  };
}

/** Media that a transaction would make a post need, and that are not reserved for that revision of it. */
class NotReserved extends Error {
  readonly post: PostDocument;
  readonly mediaIds: readonly string[];

  constructor(post: PostDocument, mediaIds: readonly string[]) {
    super(`Media of post ${post._id} are not reserved yet.`);
    this.post = post;
    this.mediaIds = mediaIds;
  }
}

interface Reserved {
  readonly postId: string;
  readonly revision: number;
  readonly mediaIds: readonly string[];
  readonly operationId: string;
}

function checkReserved(before: PostDocument, after: PostDocument, reserved: Reserved | undefined): void {
  const covered = new Set(neededMediaIds(before));
  if (reserved?.revision === after.revision) for (const id of reserved.mediaIds) covered.add(id);
  const missing = neededMediaIds(after).filter((id) => !covered.has(id));
  if (missing.length > 0) throw new NotReserved(after, missing);
}

async function reserve(
  context: Context,
  metadata: CallMetadata,
  { post, mediaIds }: Pick<NotReserved, 'post' | 'mediaIds'>,
  { given = [], isBestEffort = false }: ReservationOptions,
): Promise<Reserved> {
  const { _id: postId, revision } = post;
  const operationId = newId();
  const request = { holder: holderOf(postId), revision, mediaIds: [...mediaIds], operationId };
  const options = { call: { metadata }, ...(isBestEffort && { timeoutMs: SHORT_MS }) };
  try {
    await context.library.reserveMedia(request, options);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'resource_not_found') throw gone(post, missingOf(error, mediaIds), given);
    if (!isBestEffort || error.code !== 'internal_error') throw error;
    context.log.warn({ err: error, post_id: postId }, 'publishing a post whose media could not be reserved');
  }
  return { postId, revision, mediaIds, operationId };
}

/** As well as it goes: what is not released lapses. */
function release({ library, log }: Context, metadata: CallMetadata, { postId, revision, operationId }: Reserved): void {
  const request = { holder: holderOf(postId), revision, operationId };
  library.releaseMedia(request, { call: { metadata } }).catch((error: unknown) => {
    log.warn({ err: error, post_id: postId }, 'could not release reserved media; the reservation expires by itself');
  });
}

const holderOf = (postId: string) => `post:${postId}`;

/** The library names it by its place. */
const missingOf = ({ param }: DomainError, mediaIds: readonly string[]) =>
  mediaIds[Number(param?.replace('media_ids.', ''))] ?? mediaIds[0] ?? '';

function gone(post: PostDocument, mediaId: string, given: readonly string[]): DomainError {
  const param = paramOfMedia(post, mediaId, given);
  const isGiven = given.some((field) => param.split('.')[0] === field);
  if (isGiven) return new DomainError('invalid_value', `Media ${mediaId} was deleted.`, { param });
  return new DomainError('conflict', `Media ${mediaId} of this post was deleted. Replace it first.`, { param });
}
