import type { Derivative } from '@fanfare/contracts/library';
import { notFound } from '@fanfare/errors';
import { RETRY_FAILED_AFTER_MS } from '../derivatives/await-without-location.ts';
import { wantedOf } from '../derivatives/enqueue-derivatives.ts';
import { recipeFor } from '../derivatives/domain/recipe.ts';
import { expiryIn } from '../media/domain/expiry-in.ts';
import type { MediaUrls } from '../media/domain/media-urls.ts';
import { scopeOf } from '../scope.ts';
import { findOrWant, useDerivative, type ReadyDerivative } from '../derivatives/store/derivatives.ts';
import { findMedia } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const makeDerivative: Rpc<'makeDerivative'> = (context) => async (request, call) => {
  const { db, urls } = context;
  const expiresAt = expiryIn(request.validForSeconds);
  const [source] = await findMedia(db, scopeOf(call.metadata), [request.mediaId]);
  if (!source) throw notFound('media');
  const recipe = recipeFor(source, request.recipe);
  const found = await findOrWant(db, wantedOf(source, recipe), RETRY_FAILED_AFTER_MS);
  switch (found.status) {
    case 'ready':
      await useDerivative(db, found);
      return { status: 'MEDIA_STATUS_READY', derivative: toDerivative(found as ReadyDerivative, urls, expiresAt), failure: undefined };
    case 'failed':
      return { status: 'MEDIA_STATUS_FAILED', derivative: undefined, failure: found.failure };
    case 'waiting':
      for (const wake of context.afterWanted) wake();
      return { status: 'MEDIA_STATUS_PROCESSING', derivative: undefined, failure: undefined };
  }
};

const toDerivative = (ready: ReadyDerivative, urls: MediaUrls, expiresAt: Date): Derivative => ({
  mimeType: ready.mime_type,
  sizeBytes: ready.size_bytes,
  width: ready.width,
  height: ready.height,
  durationMs: ready.duration_ms,
  sha256: ready.sha256,
  ...urls.expiring(ready._id, expiresAt),
});
