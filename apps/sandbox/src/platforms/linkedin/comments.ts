import { z } from 'zod';
import { json, type Reply } from '../../wire/reply.ts';
import { addPost } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { illegalArgument, reject } from './errors.ts';
import { limits } from './limits.ts';
import { checkActor, jsonBody, memberOperation, spend, type MemberCall } from './linkedin-operation.ts';
import { newNumber } from './state.ts';
import { strict } from './strict.ts';

const scopes = { member: 'w_member_social_feed', organization: 'w_organization_social_feed' };

export const commentOperations: Operation[] = [
  memberOperation({
    name: 'linkedin.create_comment',
    method: 'POST',
    path: '/rest/socialActions/{urn}/comments',
    scopes: Object.values(scopes),
    handle: createComment,
  }),
];

const commentBody = z.strictObject({
  actor: z.string(),
  object: z.string(),
  message: z.strictObject({ text: z.string().min(1), attributes: z.array(z.unknown()).optional() }),
  parentComment: z.string().optional(),
});

/** The text of a comment is plain: nothing in it is reserved. */
function createComment(call: MemberCall, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const { actor, object, message } = strict(commentBody, jsonBody(call));
  if (message.text.trim() === '') throw illegalArgument('message/text cannot be empty');
  checkActor(call, actor, scopes);
  const urn = call.params['urn']!;
  const post = world.posts.get(urn);
  if (post?.platform !== 'linkedin' || post.reply_to !== null)
    throw reject(404, 'RESOURCE_NOT_FOUND', `Unable to obtain activity for ${urn}`);
  if (object !== urn) throw illegalArgument('object does not match the post');
  if ([...message.text].length > limits.commentCharacters) throw reject(400, 'FIELD_LENGTH_TOO_LONG', 'message/text is too long');
  spend(call, sandbox, 'create_comment');
  const id = newNumber(world);
  const comment = `urn:li:comment:(${urn},${id})`;
  addPost(world, {
    id: comment,
    platform: 'linkedin',
    account_id: actor,
    kind: 'comment',
    text: message.text,
    link: null,
    media_ids: [],
    reply_to: urn,
    url: post.url,
  });
  const created = { actor, time: world.now() };
  return json(201, { id, $URN: comment, actor, object, message, created, lastModified: created }, { 'x-restli-id': id });
}
