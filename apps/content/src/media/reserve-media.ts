import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { newId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { neededMediaIds, paramOfMedia } from '../posts/needed-media.ts';
import type { PostDocument } from '../posts/post.ts';

/** Media that a post needs once a transaction has committed. The library does not delete reserved media. */
interface MediaReservation {
  /** Reserves all media that a new post needs. @throws DomainError like `commit` if media were deleted */
  reserve(post: PostDocument): Promise<void>;
  /**
   * Call it in the transaction that changes a post, before it writes. The media that the post needed before are reserved already, by the events of its
   * revisions. Any others must have been reserved for exactly this revision, because the event of another revision ends their reservation.
   * @throws NotReserved which ends the transaction; `commit` reserves the media and runs it again
   */
  check(before: PostDocument, after: PostDocument): void;
  /**
   * Runs a transaction. If it is rejected, its reservations are released.
   * @throws DomainError invalid_value if media that the caller sets were deleted, conflict if other media of the post were deleted; what the
   * transaction throws
   */
  commit<T>(transaction: () => Promise<T>): Promise<T>;
}

interface ReservationOptions {
  /** The request parameters that set media of the post. */
  readonly given?: readonly string[];
  /** Whether to continue if the library is unavailable: it deletes no media while it is unavailable, and receives the need by event. */
  readonly isBestEffort?: boolean;
}

/** The post may change between a reservation and the commit that it is for. */
const MAX_ATTEMPTS = 10;
/** The longest that a publication waits for reservations. */
const SHORT_MS = 2_000;

/**
 * Reserves media for a transaction that may make a post need them. Reservations left by a crash expire. If no media are needed, the library is not called.
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
          // After any other failure the transaction may have committed.
          const isRejected = error instanceof NotReserved || error instanceof DomainError || isDuplicateKey(error);
          if (isRejected && reserved) release(context, metadata, reserved);
          if (!(error instanceof NotReserved)) throw error;
          if (attempt === MAX_ATTEMPTS)
            throw new DomainError('internal_error', `Post ${error.post._id} changes too often to reserve its media.`);
          reserved = await reserve(context, metadata, error, options);
        }
      }
    },
  };
}

/** The transaction would make a post need media that are not reserved for that revision. */
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
    if (error.code === 'resource_not_found') throw deletedMedia(post, missingOf(error, mediaIds), given);
    if (!isBestEffort || error.code !== 'internal_error') throw error;
    context.log.warn({ err: error, post_id: postId }, 'publishing a post whose media could not be reserved');
  }
  return { postId, revision, mediaIds, operationId };
}

/** Best effort: a reservation that is not released expires. */
function release({ library, log }: Context, metadata: CallMetadata, { postId, revision, operationId }: Reserved): void {
  const request = { holder: holderOf(postId), revision, operationId };
  library.releaseMedia(request, { call: { metadata } }).catch((error: unknown) => {
    log.warn({ err: error, post_id: postId }, 'could not release reserved media; the reservation expires by itself');
  });
}

const holderOf = (postId: string) => `post:${postId}`;

/** The library's error names the media by its index. */
const missingOf = ({ param }: DomainError, mediaIds: readonly string[]) =>
  mediaIds[Number(param?.replace('media_ids.', ''))] ?? mediaIds[0] ?? '';

function deletedMedia(post: PostDocument, mediaId: string, given: readonly string[]): DomainError {
  const param = paramOfMedia(post, mediaId, given);
  const isGiven = given.some((field) => param.split('.')[0] === field);
  if (isGiven) return new DomainError('invalid_value', `Media ${mediaId} was deleted.`, { param });
  return new DomainError('conflict', `Media ${mediaId} of this post was deleted. Replace it first.`, { param });
}
