import { z } from 'zod';
import type { Reply } from '../../wire/reply.ts';
import { addPost, deletePost, livePostsOf, type Post } from '../../world/post.ts';
import type { World } from '../../world/world.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { isOrganization } from './accounts.ts';
import { usableAsset } from './assets.ts';
import { commentaryTooLong, duplicatePost, illegalArgument, reject } from './errors.ts';
import { hosts, limits } from './limits.ts';
import { checkActor, jsonBody, memberOperation, spend, type MemberCall } from './linkedin-operation.ts';
import { lengthOf, readLittleText } from './little-text.ts';
import { deletedPosts, newNumber } from './state.ts';
import { strict } from './strict.ts';

const writing = ['w_member_social', 'w_organization_social'];

export const publishOperations: Operation[] = [
  memberOperation({ name: 'linkedin.create_post', method: 'POST', path: '/rest/posts', scopes: writing, handle: createPost }),
  memberOperation({ name: 'linkedin.delete_post', method: 'DELETE', path: '/rest/posts/{urn}', scopes: writing, handle: deleteShare }),
];

const altText = z.string().optional();
const contentBody = z.strictObject({
  media: z.strictObject({ id: z.string(), altText, title: z.string().optional() }).optional(),
  multiImage: z.strictObject({ images: z.array(z.strictObject({ id: z.string(), altText })), altText }).optional(),
  article: z
    .strictObject({
      source: z.string(),
      title: z.string(),
      description: z.string().optional(),
      thumbnail: z.string().optional(),
      thumbnailAltText: altText,
    })
    .optional(),
  poll: z
    .strictObject({
      question: z.string(),
      options: z.array(z.strictObject({ text: z.string() })),
      settings: z.strictObject({
        duration: z.enum(['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS']).optional(),
        voteSelectionType: z.literal('SINGLE_VOTE').optional(),
        isVoterVisibleToAuthor: z.literal(true).optional(),
      }),
    })
    .optional(),
});
const postBody = z.strictObject({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN', 'CONTAINER']),
  distribution: z.strictObject({
    feedDistribution: z.enum(['MAIN_FEED', 'NONE']),
    targetEntities: z.array(z.unknown()).optional(),
    thirdPartyDistributionChannels: z.array(z.unknown()).optional(),
  }),
  lifecycleState: z.string(),
  isReshareDisabledByAuthor: z.boolean().optional(),
  content: contentBody.optional(),
});

type Body = z.output<typeof postBody>;
interface Attached {
  readonly kind: Post['kind'];
  readonly link: string | null;
  readonly images: readonly { id: string; altText?: string | undefined; mediaId: string }[];
}

function createPost(call: MemberCall, sandbox: Sandbox): Reply {
  const { world } = sandbox;
  const body = strict(postBody, jsonBody(call));
  checkActor(call, body.author, { member: 'w_member_social', organization: 'w_organization_social' });
  checkWords(body);
  const attached = readContent(world, body);
  rejectDuplicate(world, body);
  spend(call, sandbox, 'create_post');
  const { shown, kept } = readLittleText(body.commentary);
  for (const { mediaId, altText } of attached.images) world.media.get(mediaId)!.alt_text = altText ?? null;
  const id = `urn:li:${attached.kind === 'video' ? 'ugcPost' : 'share'}:${newNumber(world)}`;
  addPost(world, {
    id,
    platform: 'linkedin',
    account_id: body.author,
    kind: attached.kind,
    text: shown,
    link: attached.link,
    media_ids: attached.images.map(({ mediaId }) => mediaId),
    reply_to: null,
    url: `https://${hosts.web}/feed/update/${id}/`,
    details: {
      sent: body.commentary,
      commentary: kept,
      visibility: body.visibility,
      content: body.content ?? null,
      article: body.content?.article ?? null,
      poll: body.content?.poll ?? null,
    },
  });
  return { status: 201, headers: { 'x-restli-id': id }, body: { kind: 'none' } };
}

function checkWords({ commentary, content, lifecycleState, visibility, author }: Body): void {
  if (lifecycleState !== 'PUBLISHED') throw illegalArgument(`lifecycleState ${lifecycleState} is not supported for creation`);
  if (visibility === 'CONTAINER' || (isOrganization(author) && visibility === 'CONNECTIONS'))
    throw illegalArgument(`visibility ${visibility} is not supported for this author`);
  if (commentary.trim() === '' && !content) throw reject(400, 'MISSING_FIELD', 'commentary is required for a post without content');
  const length = lengthOf(commentary);
  if (length > limits.commentaryCharacters) throw commentaryTooLong(length, limits.commentaryCharacters);
}

function readContent(world: World, { content, author }: Body): Attached {
  if (!content) return { kind: 'text', link: null, images: [] };
  if (Object.keys(content).length !== 1) throw illegalArgument('content must contain exactly one of media, multiImage, article and poll');
  if (content.poll) {
    checkPoll(content.poll);
    return { kind: 'text', link: null, images: [] };
  }
  if (content.article) {
    checkArticle(world, content.article, author);
    return { kind: 'link', link: content.article.source, images: [] };
  }
  const several = content.multiImage?.images;
  if (several && (several.length < limits.images.min || several.length > limits.images.max))
    throw illegalArgument(`content/multiImage/images: ${limits.images.min} to ${limits.images.max} are allowed`);
  const items = several ?? (content.media ? [content.media] : []);
  const used = items.map(({ id, altText }) => {
    if ([...(altText ?? '')].length > limits.altTextCharacters) throw reject(400, 'FIELD_LENGTH_TOO_LONG', 'altText is too long');
    const asset = usableAsset(world, id, several ? ['image'] : ['image', 'video'], author);
    return { kind: asset.kind, image: { id, altText, mediaId: asset.media_id! } };
  });
  const kind = several ? 'album' : used[0]?.kind === 'video' ? 'video' : 'photo';
  return { kind, link: null, images: used.map(({ image }) => image) };
}

type Content = NonNullable<Body['content']>;

function checkArticle(world: World, { source, title, description, thumbnail }: NonNullable<Content['article']>, author: string): void {
  if (!/^https?:\/\//.test(source) || !URL.canParse(source)) throw illegalArgument('content/article/source has to be a URL');
  checkWord('content/article/title', title, limits.article.titleCharacters);
  if (description !== undefined) checkWord('content/article/description', description, limits.article.descriptionCharacters);
  if (thumbnail !== undefined) usableAsset(world, thumbnail, ['image'], author);
}

function checkPoll({ question, options }: NonNullable<Content['poll']>): void {
  const { min, max } = limits.poll.options;
  checkWord('content/poll/question', question, limits.poll.questionCharacters);
  if (options.length < min || options.length > max) throw illegalArgument(`content/poll/options: ${min} to ${max} are allowed`);
  for (const { text } of options) checkWord('content/poll/options/text', text, limits.poll.optionCharacters);
  if (new Set(options.map(({ text }) => text.trim())).size < options.length)
    throw illegalArgument('content/poll/options must contain different texts');
}

function checkWord(path: string, text: string, max: number): void {
  if (text.trim() === '') throw illegalArgument(`${path} cannot be empty`);
  if ([...text].length > max)
    throw reject(400, 'FIELD_LENGTH_TOO_LONG', `${path}: length ${[...text].length} exceeds the maximum of ${max}`);
}

function rejectDuplicate(world: World, { author, commentary, content }: Body): void {
  const since = world.now() - limits.duplicateWindowMs;
  const wanted = JSON.stringify([commentary, content ?? null]);
  const same = livePostsOf(world, author).find(
    ({ created_at, details }) => Date.parse(created_at) > since && JSON.stringify([details['sent'], details['content']]) === wanted,
  );
  if (same) throw duplicatePost(same.id);
}

/** Idempotent: a post that was deleted before is deleted again. */
function deleteShare(call: MemberCall, { world }: Sandbox): Reply {
  const urn = call.params['urn']!;
  const post = world.posts.get(urn);
  const author = post?.platform === 'linkedin' ? post.account_id : deletedPosts(world).get(urn);
  if (author === undefined) throw reject(404, 'RESOURCE_NOT_FOUND', `Could not find entity ${urn}`);
  checkActor(call, author, { member: 'w_member_social', organization: 'w_organization_social' });
  deletedPosts(world).set(urn, author);
  deletePost(world, urn);
  return { status: 204, headers: {}, body: { kind: 'none' } };
}
