import type { Platform } from '@fanfare/connectors';
import { readBusiness } from '../../business.ts';
import { readSource } from '../../input/read-source.ts';
import { readTopics } from './read-topics.ts';
import type { Step } from '../run-job.ts';

/** Reads the source of the posts, and their business. */
export const readInput: Step = async ({ context, lease, job }) => {
  const { request, call: metadata } = job();
  const business = await readBusiness(context, metadata);
  const { targets } = await context.content.listTargets({}, { call: { metadata } });
  const source = await readSource(
    { content: request.content, websiteUrl: request.website_url, customIdea: request.custom_idea },
    context.web,
    lease.signal,
    business.language,
  );
  return {
    next: 'ideas',
    found: {
      source,
      topics: await readTopics(context, metadata),
      brief: {
        businessName: business.name,
        description: business.description,
        industry: business.industry,
        language: business.language,
        voice: request.voice ?? business.tone,
        rules: business.writingRules,
        platforms: [...new Set(targets.map(({ platform }) => platform as Platform))].sort(),
      },
      look: { palette: business.palette, fonts: business.fonts, logo_media_id: business.logoMediaId ?? null },
    },
  };
};
