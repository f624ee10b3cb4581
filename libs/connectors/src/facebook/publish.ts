import type { Content, MainStep, Next, State } from '../connector.ts';
import { at, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import { refetching } from '../calls/refetching.ts';
import { graphCall } from '../graph/graph-call.ts';
import { isUnfetchedImage } from './errors.ts';
import { followUp } from './follow-up.ts';
import { done, kindOf, type Progress, readProgress } from './progress.ts';
import { reelStep, setCover } from './reel.ts';

/** Facebook's flows (platform reference 1.2). Uploads before the commit are not visible. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  if (progress.publishId !== undefined) return followUp(content, { ...progress, publishId: progress.publishId });
  return { step: mainStep(content, progress) };
}

function mainStep(content: Content, progress: Progress): MainStep {
  switch (kindOf(content)) {
    case 'text':
      return publishText(content, progress);
    case 'photo':
      return publishPhoto(content, progress);
    case 'photos':
      return (progress.photos?.length ?? 0) < content.media.length ? uploadPhoto(content, progress) : publishAlbum(content, progress);
    case 'video':
      return publishVideo(content, progress);
    case 'reel':
      return content.cover && progress.uploaded && !progress.covered
        ? setCover(content.cover, progress, progress.videoId ?? '')
        : reelStep(content, progress);
  }
}

function publishText({ caption, link }: Content, progress: Progress): MainStep {
  return {
    name: 'publish_post',
    kind: 'commit',
    async run(call) {
      const json = { message: caption, ...(link && { link }), published: true };
      const response = await graphCall(call, { method: 'POST', path: `/${call.account.accountId}/feed`, body: { json }, commit: true });
      return done({ ...progress, publishId: requiredAt(response, 'id') });
    },
  };
}

function publishPhoto({ caption, media }: Content, progress: Progress): MainStep {
  return {
    name: 'publish_photo',
    kind: 'commit',
    async run(call) {
      const json = { url: media[0]?.publicUrl, message: caption, published: true, ...altText(media[0]?.altText) };
      const path = `/${call.account.accountId}/photos`;
      const response = await refetching(progress, isUnfetchedImage, () =>
        graphCall(call, { method: 'POST', path, body: { json }, commit: true }),
      );
      return done({ ...progress, publishId: stringAt(response, 'post_id') ?? requiredAt(response, 'id') });
    },
  };
}

function uploadPhoto({ media }: Content, progress: Progress): MainStep {
  const uploaded = progress.photos ?? [];
  return {
    name: 'upload_photo',
    kind: 'prepare',
    async run(call) {
      const photo = media[uploaded.length];
      const json = { url: photo?.publicUrl, published: false, ...altText(photo?.altText) };
      const path = `/${call.account.accountId}/photos`;
      const response = await refetching(progress, isUnfetchedImage, () => graphCall(call, { method: 'POST', path, body: { json } }));
      return done({ ...progress, photos: [...uploaded, requiredAt(response, 'id')] });
    },
  };
}

function publishAlbum({ caption }: Content, progress: Progress): MainStep {
  return {
    name: 'publish_photos',
    kind: 'commit',
    async run(call) {
      const json = { message: caption, attached_media: (progress.photos ?? []).map((id) => ({ media_fbid: id })) };
      const response = await graphCall(call, { method: 'POST', path: `/${call.account.accountId}/feed`, body: { json }, commit: true });
      return done({ ...progress, publishId: requiredAt(response, 'id') });
    },
  };
}

function publishVideo({ caption, title, media }: Content, progress: Progress): MainStep {
  return {
    name: 'publish_video',
    kind: 'commit',
    async run(call) {
      const json = { file_url: media[0]?.publicUrl, description: caption, ...(title && { title }), published: true };
      const response = await graphCall(call, { method: 'POST', path: `/${call.account.accountId}/videos`, body: { json }, commit: true });
      if (at(response, 'success') === false) throw unreadable('the response does not report success');
      const videoId = requiredAt(response, 'id');
      return done({ ...progress, videoId, publishId: videoId });
    },
  };
}

function altText(text: string | undefined): { alt_text_custom?: string } {
  return text ? { alt_text_custom: text } : {};
}
