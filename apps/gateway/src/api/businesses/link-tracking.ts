import { TRACKING_PLACEHOLDERS, trackingValueProblem } from '@fanfare/connectors/preflight';
import type { LinkTracking } from '@fanfare/contracts/content';
import { z } from 'zod';
import { nonBlank } from '../../text/text.ts';

const PARAMETERS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
const MAX_VALUE = 100;
const PLACEHOLDERS = TRACKING_PLACEHOLDERS.map((name) => `\`{${name}}\``).join(', ');

const WHAT =
  'UTM parameters that are added to links when a post is sent. They are added to http and https links in the caption and the first comment, to the `link` of the ' +
  'post, and to links in platform options. The links in the post itself do not change. A parameter that a link already has is kept. The length of a text is checked with ' +
  `the parameters. Values can contain the placeholders ${PLACEHOLDERS}. A publication that has started keeps its setting. null: link tracking is off.`;
const NOT_ADDED = 'null: the parameter is not added.';

/** In a response. */
export const linkTracking = () =>
  z
    .object({
      utm_source: z.string().nullable().meta({ example: '{platform}' }),
      utm_medium: z.string().nullable().meta({ example: 'social' }),
      utm_campaign: z.string().nullable().meta({ example: 'spring' }),
      utm_term: z.string().nullable(),
      utm_content: z.string().nullable().meta({ example: '{post_id}' }),
    })
    .nullable()
    .meta({ description: WHAT });

const value = () =>
  nonBlank(MAX_VALUE).superRefine((given, context) => {
    const problem = /\p{Cc}/u.test(given) ? 'contains a line break or another control character' : trackingValueProblem(given);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** In a request. Null is not the default here, unlike in other fields, so that a client can send back what it read. */
export const givenLinkTracking = () =>
  z
    .strictObject({
      utm_source: value()
        .nullable()
        .default('{platform}')
        .meta({ description: `Default: the platform's name. ${NOT_ADDED}` }),
      utm_medium: value().nullable().default('social').meta({ description: NOT_ADDED }),
      utm_campaign: value().nullable().default(null).meta({ description: NOT_ADDED, example: 'spring' }),
      utm_term: value().nullable().default(null).meta({ description: NOT_ADDED }),
      utm_content: value().nullable().default(null).meta({ description: NOT_ADDED, example: '{post_id}' }),
    })
    .refine(
      (given) => PARAMETERS.some((name) => given[name] !== null),
      'must add at least one parameter; set link_tracking to null to turn link tracking off',
    )
    .nullish()
    .meta({ description: `${WHAT} Replaced as a whole; {} turns link tracking on with the defaults.` });

export function linkTrackingToProto(given: z.output<ReturnType<typeof givenLinkTracking>>): LinkTracking | undefined {
  if (!given) return undefined;
  return {
    source: given.utm_source ?? undefined,
    medium: given.utm_medium ?? undefined,
    campaign: given.utm_campaign ?? undefined,
    term: given.utm_term ?? undefined,
    content: given.utm_content ?? undefined,
  };
}

export function linkTrackingFromProto(given: LinkTracking | undefined): z.input<ReturnType<typeof linkTracking>> {
  if (!given) return null;
  return {
    utm_source: given.source ?? null,
    utm_medium: given.medium ?? null,
    utm_campaign: given.campaign ?? null,
    utm_term: given.term ?? null,
    utm_content: given.content ?? null,
  };
}
