import { createHash } from 'node:crypto';
import { connectors, loginNamesOf, type Connector, type Content, type ContentMedia, type Platform as Name } from '@fanfare/connectors';
import { newId } from '@fanfare/runtime';
import type { CreatePost, Integration } from '@fanfare/sdk';
import { everyFlow } from '../../../../libs/connectors/test/conversations/flows.ts';
import type { Platform } from '../../src/platform.ts';
import type { SandboxPost } from '../../src/sandbox.ts';
import { mediaLike } from './media-like.ts';

/** A way in which something is published to an account, as the connectors' own tests describe it. A ninth platform is among them. */
export interface Way {
  readonly platform: Name;
  /** `photos` */
  readonly key: string;
  readonly content: Content;
  readonly account: Integration;
}

/** All ways of these platforms, to all of their connected accounts. */
export async function waysOf({ fanfare, tenant }: Platform, platforms: readonly string[]): Promise<Way[]> {
  const accounts = await fanfare.integrations.list(tenant.business_id).toArray();
  return everyFlow
    .filter(({ platform, flow }) => platforms.includes(platform) && flow.from === undefined)
    .flatMap(({ platform, key, flow: { content, login = loginNamesOf(platform)[0] ?? null } }) =>
      accounts
        .filter((account) => account.platform === platform && account.login === login)
        .map((account) => ({ platform, key, content, account })),
    );
}

/** `linkedin images` */
export const nameOf = ({ platform, key, account }: Way): string => `${platform} ${key}${isOfPerson(account) ? ' (person)' : ''}`;

const isOfPerson = ({ account_id }: Integration): boolean => account_id.includes(':person:');

/** A post that is to be published in some way. */
export interface FlowPost {
  readonly body: CreatePost;
  /** With the sizes of its files. */
  readonly content: Content;
  /** Whether a post on a platform is this one: by its text or, where the platform shows none, by media that only this post has. */
  isIn(post: Pick<SandboxPost, 'text' | 'media'>): boolean;
}

/** Makes posts of ways. Small media are new for each post; large ones are uploaded once. */
export function flowPosts({ fanfare, tenant }: Platform) {
  const uploads = new Map<ContentMedia, Promise<Uploaded>>();
  const upload = async (media: ContentMedia): Promise<Uploaded> => {
    const file = await mediaLike(media);
    const { id } = await fanfare.media.upload(tenant.business_id, { file, alt_text: media.altText });
    return {
      id,
      sizeBytes: file.size,
      sha256: createHash('sha256')
        .update(await file.bytes())
        .digest('hex'),
    };
  };
  const uploaded = (media: ContentMedia): Promise<Uploaded> => {
    if (!isLarge(media)) return upload(media);
    const known = uploads.get(media) ?? upload(media);
    uploads.set(media, known);
    return known;
  };

  return async ({ platform, content, account }: Way): Promise<FlowPost> => {
    const marker = `#${newId().replaceAll('-', '')}`;
    const files = await Promise.all(content.media.map(uploaded));
    const cover = content.cover && (await uploaded(content.cover));
    const options = await withChoices(platform, account, content.options);
    const own = new Set(files.flatMap(({ sha256 }, index) => (isLarge(content.media[index]!) ? [] : [sha256])));
    return {
      content: { ...content, media: content.media.map((media, index) => ({ ...media, sizeBytes: files[index]!.sizeBytes })) },
      isIn: ({ text, media }) => text.includes(marker) || media.some((one) => 'sha256' in one && own.has(String(one.sha256))),
      body: {
        caption: [content.caption, marker].filter(Boolean).join(' '),
        restrict_publish_to_integration_ids: [account.id],
        ...(files.length > 0 && { media_ids: files.map(({ id }) => id) }),
        ...(cover && { cover_media_id: cover.id }),
        ...(content.link !== undefined && { link: content.link }),
        ...(content.videoCoverTimestampMs !== undefined && { video_cover_timestamp_ms: content.videoCoverTimestampMs }),
        platform_overrides: [
          {
            platform,
            ...(content.title !== undefined && { title: content.title }),
            ...(content.firstComment !== undefined && { first_comment: content.firstComment }),
            ...(options && { options }),
          },
        ],
      },
    };
  };

  /** Options whose values belong to the account: those of the connectors' tests belong to none of the sandbox's. */
  async function withChoices(platform: Name, { id }: Integration, given: Content['options']): Promise<Record<string, unknown> | undefined> {
    const { choices = {} }: Connector = connectors[platform];
    const options = given && { ...given };
    for (const option of Object.keys(choices)) {
      if (!options || !(option in options)) continue;
      const query = { ...(option !== 'board_id' && typeof options['board_id'] === 'string' && { board_id: options['board_id'] }) };
      const listed = await fanfare.integrations.choices(tenant.business_id, id, option, query).toArray();
      if (!listed.some(({ value }) => value === options[option])) options[option] = listed[0]?.value;
    }
    return options;
  }
}

interface Uploaded {
  readonly id: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const isLarge = ({ sizeBytes }: ContentMedia): boolean => sizeBytes >= 1024 * 1024;
