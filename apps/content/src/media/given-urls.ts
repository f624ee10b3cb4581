import type { CreatePostRequest } from '@fanfare/contracts/content';

/** A URL to fetch media from, and the parameter that names it. */
export interface GivenUrl {
  readonly url: string;
  readonly param: string;
}

/** All URLs of media that a create or an edit gives: the post's, then each override's. */
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

/** Each URL once, by where it is named first: what is named again is not fetched again. */
export function distinctUrls(given: Parameters<typeof givenUrls>[0]): GivenUrl[] {
  const first = new Map<string, GivenUrl>();
  for (const one of givenUrls(given)) if (!first.has(one.url)) first.set(one.url, one);
  return [...first.values()];
}
