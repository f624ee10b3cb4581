import { json, type Reply } from '../../wire/reply.ts';
import { addPost, deletePost } from '../../world/post.ts';
import { startProcessing } from '../../world/processing.ts';
import { checkedBody, type GoogleCall } from '../google/google-operation.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { numberOf } from './accounts.ts';
import { businessOperation, locationOf, spendEdit } from './business-operation.ts';
import { entityNotFound } from './errors.ts';
import { hosts } from './limits.ts';
import { checkLocalPost, localPostSchema, type LocalPost } from './local-post.ts';
import { photoFrom } from './photo-source.ts';
import { postNode } from './read.ts';

const parent = '/v4/accounts/{account}/locations/{location}/localPosts';

export const publishOperations: Operation[] = [
  businessOperation({
    name: 'google_business.create_post',
    hosts: [hosts.posts],
    method: 'POST',
    path: parent,
    processes: true,
    handle: createPost,
  }),
  businessOperation({
    name: 'google_business.delete_post',
    hosts: [hosts.posts],
    method: 'DELETE',
    path: `${parent}/{post}`,
    handle: deleteLocalPost,
  }),
];

async function createPost(call: GoogleCall, { world, config }: Sandbox): Promise<Reply> {
  const location = locationOf(call, world);
  const body = checkedBody(localPostSchema, call);
  checkLocalPost(body);
  spendEdit(call, world, location, config.limitsFactor);
  const [item] = body.media ?? [];
  const photo = item?.sourceUrl === undefined ? null : await photoFrom(world, item.sourceUrl);
  const number = String(world.nextNumber()).padStart(10, '0');
  const link = linkOf(body);
  const review = () => Promise.resolve(rejectionOf(body));
  const post = addPost(world, {
    id: `${location.id}/localPosts/${number}`,
    platform: 'google_business',
    account_id: location.id,
    kind: photo ? 'photo' : link === null ? 'text' : 'link',
    text: body.summary ?? '',
    link,
    media_ids: photo ? [photo.id] : [],
    reply_to: null,
    url: `https://${hosts.web}/place?id=${numberOf(location.id)}&use=posts&lpsid=${number}`,
    processing: startProcessing(world.now(), config.processingMs, call.processing, rejected, review, world.touched),
    details: { ...body, ...(body.topicType === 'OFFER' && { callToAction: undefined }) },
  });
  return json(200, postNode(world, post));
}

function deleteLocalPost(call: GoogleCall, { world }: Sandbox): Reply {
  const location = locationOf(call, world);
  const id = `${location.id}/localPosts/${call.params['post']}`;
  if (!world.posts.has(id)) throw entityNotFound();
  deletePost(world, id);
  return json(200, {});
}

const rejected = { code: 1, message: 'The post does not follow the content policy.' };

/** Phone numbers in international and national notation; not dates, prices and order numbers. */
const PHONE_NUMBER = /(?<![\w/.+-])(?:\+[1-9][\d\s().\-/]{6,18}\d|\(?0[1-9]\d{1,3}\)?[\s/-]\d{5,9})(?![\w.-])/;

/** Google's review rejects phone numbers in the text. */
function rejectionOf({ summary = '' }: LocalPost): typeof rejected | null {
  return PHONE_NUMBER.test(summary) ? rejected : null;
}

function linkOf({ topicType, callToAction, offer }: LocalPost): string | null {
  return (topicType === 'OFFER' ? offer?.redeemOnlineUrl : callToAction?.url) ?? null;
}
