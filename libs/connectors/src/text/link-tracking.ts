import twitter from 'twitter-text';
import type { Content, Options } from '../connector.ts';
import { limitsFor } from '../limits.ts';
import type { PlatformRules } from '../platform-rules.ts';
import { titleOf } from './title-of.ts';

/** The UTM parameters of a link, which analytics tools read, without `utm_` and in the order in which they are added. */
const PARAMETERS = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** The values of these parameters, with placeholders; one without a value is not added. */
export type LinkTracking = Readonly<Partial<Record<(typeof PARAMETERS)[number], string | undefined>>>;

/** What a value may name in braces, such as `{platform}`. */
export const TRACKING_PLACEHOLDERS = ['platform', 'post_id', 'business_id'] as const;

/** Follows a finding about the length of a text with links, for its author. */
export const TRACKED_LENGTH = 'Links are counted with the parameters that link_tracking of the business adds to them.';

/** The delivery that the placeholders stand for. */
export type TrackedDelivery = Readonly<Record<(typeof TRACKING_PLACEHOLDERS)[number], string>>;

/** Adds tracking parameters to one content. */
export type TrackLinks = <T extends LinkedContent>(content: T) => T;

type LinkedContent = Pick<Content, 'caption' | 'title' | 'link' | 'firstComment' | 'options'>;

/** Why a value cannot be used, for its author; undefined if it can. */
export function trackingValueProblem(value: string): string | undefined {
  const known = TRACKING_PLACEHOLDERS.map((name) => `{${name}}`);
  const unknown = (value.match(/\{[^{}]*\}/g) ?? []).find((found) => !known.includes(found));
  if (unknown !== undefined) return `has the unknown placeholder ${unknown}; the placeholders are ${known.join(', ')}`;
  return /[{}]/.test(known.reduce((rest, one) => rest.replaceAll(one, ''), value)) ? 'has a brace outside a placeholder' : undefined;
}

/**
 * Adds the parameters to the links of a post: in the caption and the first comment, the post's link, and the platform's options that are links. Pure, and
 * harmless when repeated, so that every attempt of a delivery sends the same bytes.
 */
export function linkTracker(
  tracking: LinkTracking,
  delivery: TrackedDelivery,
  { limits, linkOptions = [] }: Pick<PlatformRules, 'limits' | 'linkOptions'>,
): TrackLinks {
  const added = parametersFor(tracking, delivery);
  return (content) => {
    const { caption, title, link, firstComment, options } = content;
    // A title that is derived from the caption gets no link tracking.
    const ownTitle = limitsFor(limits, options).needsTitle && !title?.trim() ? titleOf(content, limits.title) : title;
    return {
      ...content,
      caption: inText(caption, added),
      ...(ownTitle !== undefined && { title: ownTitle }),
      ...(link !== undefined && { link: inUrl(link, added) }),
      ...(firstComment !== undefined && { firstComment: inText(firstComment, added) }),
      ...(options && { options: linkOptions.reduce<Options>((all, path) => inOption(all, path, added), options) }),
    };
  };
}

type Parameter = readonly [name: string, value: string];

function parametersFor(tracking: LinkTracking, delivery: TrackedDelivery): Parameter[] {
  return PARAMETERS.flatMap((name) => {
    const value = tracking[name];
    if (value === undefined) return [];
    return [[`utm_${name}`, TRACKING_PLACEHOLDERS.reduce((text, key) => text.replaceAll(`{${key}}`, () => delivery[key]), value)] as const];
  });
}

/** Links with a scheme, found as X finds those that it counts as 23 characters: there no text grows. */
function inText(text: string, added: readonly Parameter[]): string {
  if (!text.includes('://')) return text;
  return linksIn(text).reduceRight((rest, { url, indices: [begin, end] }) => {
    const tracked = inUrl(url, added);
    // One that would end before the parameters, such as one whose page ends with a full stop, is left alone.
    const isWhole = ENDS_LINK.test(text.slice(end)) && linksIn(tracked)[0]?.url === tracked;
    return isWhole ? rest.slice(0, begin) + tracked + rest.slice(end) : rest;
  }, text);
}

const linksIn = (text: string) => twitter.extractUrlsWithIndices(text, { extractUrlsWithoutProtocol: false });

/**
 * What may follow a link: the punctuation of its sentence, and then nothing, a space, or a sign that no link contains. Platforms do not agree on which letters belong
 * to a link: before any other character it may be longer, and parameters in the middle of it would break it.
 */
const ENDS_LINK = /^(?:[^\P{P}#/&_-]|\|)*(?:\s|$|[<>}"”’»。、，；：！？）」』】…])/u;

/** The rest of the URL stays as it was written, byte for byte. */
function inUrl(url: string, added: readonly Parameter[]): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return url;
  const [, page = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/su.exec(url) ?? [];
  const own = new URLSearchParams(query);
  const missing = added.filter(([name]) => !own.has(name)).map(([name, value]) => `${name}=${encoded(value)}`);
  if (missing.length === 0) return url;
  const before = query === undefined || query === '' ? '' : query.replace(/&?$/, '&');
  return `${page}?${before}${missing.join('&')}${fragment}`;
}

/** Without characters that a platform may take for the end of a link, or for a mention or a hashtag. */
const encoded = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*~]|\.$/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function inOption(options: Options, [name = '', ...rest]: readonly string[], added: readonly Parameter[]): Options {
  const value = options[name];
  if (rest.length === 0) return typeof value === 'string' ? { ...options, [name]: inUrl(value, added) } : options;
  return typeof value === 'object' && value !== null ? { ...options, [name]: inOption(value as Options, rest, added) } : options;
}
