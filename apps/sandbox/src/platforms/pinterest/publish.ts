import { z } from 'zod';
import { json, type Reply } from '../../wire/reply.ts';
import { addPost, deletePost } from '../../world/post.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { boardOf } from './board-of.ts';
import { invalidRequest, pinNotFound, sectionNotFound } from './errors.ts';
import { limits } from './limits.ts';
import { mediaOf, mediaSource } from './media-source.ts';
import { pinNode } from './pin-node.ts';
import { pinterestOperation, type PinterestCall } from './pinterest-operation.ts';
import { newPinterestId } from './state.ts';
import { strictBody } from './strict.ts';

const scopes = ['boards:read', 'boards:write', 'pins:read', 'pins:write'];

export const publishOperations: Operation[] = [
  pinterestOperation({ name: 'pinterest.create_pin', method: 'POST', path: '/v5/pins', scopes, rate: 'org_write', handle: createPin }),
  pinterestOperation({
    name: 'pinterest.delete_pin',
    method: 'DELETE',
    path: '/v5/pins/{pin_id}',
    scopes,
    rate: 'org_write',
    handle: deletePin,
  }),
];

const id = z.string().regex(/^\d+$/, "does not match '^\\d+$'");
const atMost = (max: number) =>
  z
    .string()
    .refine((text) => [...text].length <= max, `is too long, maxLength=${max}`)
    .nullish();
const pinBody = z.strictObject({
  board_id: id,
  board_section_id: id.nullish(),
  title: atMost(limits.titleCharacters),
  description: atMost(limits.descriptionCharacters),
  link: atMost(limits.linkCharacters),
  alt_text: atMost(limits.altTextCharacters),
  dominant_color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, 'does not match #RRGGBB')
    .nullish(),
  parent_pin_id: id.nullish(),
  media_source: mediaSource,
});

async function createPin(call: PinterestCall, { world }: Sandbox): Promise<Reply> {
  const body = strictBody(pinBody, call);
  const board = boardOf(call, world, body.board_id);
  const section = body.board_section_id ?? null;
  if (section !== null && !board.sections.some((one) => one.id === section)) throw sectionNotFound();
  if (body.parent_pin_id && world.posts.get(body.parent_pin_id)?.platform !== 'pinterest') throw pinNotFound();
  const link = body.link || null;
  if (link !== null && !/^https?:\/\/[^/\s]+\.[^/\s]/.test(link)) throw invalidRequest(`'link': '${link}' is not a URL`);
  const { media, cover } = await mediaOf(call, world, body.media_source, body.alt_text || null);
  const pinId = newPinterestId(world);
  const kinds = { image_url: 'photo', multiple_image_urls: 'carousel', video_id: 'video' } as const;
  const post = addPost(world, {
    id: pinId,
    platform: 'pinterest',
    account_id: call.user.id,
    kind: kinds[body.media_source.source_type],
    text: body.description ?? '',
    link,
    media_ids: media.map((one) => one.id),
    reply_to: null,
    url: `https://www.pinterest.com/pin/${pinId}/`,
    details: {
      title: body.title || null,
      board_id: board.id,
      board_section_id: section,
      alt_text: body.alt_text || null,
      dominant_color: body.dominant_color ?? null,
      ...(cover && { cover: { media_id: cover.id, width: cover.width, height: cover.height } }),
    },
  });
  return json(201, pinNode(world, post));
}

function deletePin(call: PinterestCall, { world }: Sandbox): Reply {
  const post = world.posts.get(call.params['pin_id']!);
  if (post?.platform !== 'pinterest' || post.account_id !== call.user.id) throw pinNotFound();
  deletePost(world, post.id);
  return { status: 204, headers: {}, body: { kind: 'none' } };
}
