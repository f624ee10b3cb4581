import type { CreatePostRequest } from '@fanfare/contracts/content';

/** A URL to fetch media from, and its request parameter. */
export interface GivenUrl {
  readonly url: string;
  readonly param: string;
}

/** All media URLs in a create or an edit: those of the post, then those of each override. */
export function givenUrls({ mediaUrls, platformOverrides }: Pick<CreatePostRequest, 'mediaUrls' | 'platformOverrides'>): GivenUrl[] {
  return [
    ...mediaUrls.map((url, index) => ({ url, param: `media_urls.${index}` })),
    ...platformOverrides.flatMap(({ mediaUrls: urls }, index) =>
      (urls?.urls ?? []).map((url, place) => ({ url, param: `platform_overrides.${index}.media_urls.${place}` })),
    ),
  ];
}

/** The fields in which overrides name media by their ids. */
export const overridesByIds = ({ platformOverrides }: Pick<CreatePostRequest, 'platformOverrides'>): string[] =>
  platformOverrides.flatMap(({ mediaIds }, index) => (mediaIds ? [`platform_overrides.${index}.media_ids`] : []));

/** Each URL once, with its first parameter. A URL that occurs twice is fetched once. */
export function distinctUrls(given: Parameters<typeof givenUrls>[0]): GivenUrl[] {
  const first = new Map<string, GivenUrl>();
  for (const one of givenUrls(given)) if (!first.has(one.url)) first.set(one.url, one);
  return [...first.values()];
}
