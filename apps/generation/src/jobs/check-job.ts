import type { Business } from '@fanfare/contracts/content';
import type { CreateJobRequest } from '@fanfare/contracts/generation';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { checkRatio } from '../designs/check-design.ts';
import { isCreativeFormat, type CreativeFormat } from '../formats.ts';
import { findTemplate } from '../templates/find-template.ts';
import { TEMPLATE_FORMATS, type TemplateFormat } from '../templates/template.ts';
import type { JobRequest } from './job.ts';

const MAX_COUNT = 10;
const AI_IMAGE_TYPES = ['design', 'photo', 'infographic', 'meme'];

/** The template formats that can render a creative format. */
const DRAWN_BY: Partial<Record<CreativeFormat, TemplateFormat>> = {
  design: 'design',
  carousel: 'carousel',
  meme: 'meme',
  gif: 'carousel',
  video: 'carousel',
};

/**
 * The request of a job with the defaults of the business filled in. Rejects requests that would certainly fail later.
 * @throws DomainError missing_field, invalid_value with param
 */
export async function checkJob(
  context: Context,
  request: CreateJobRequest,
  business: Business,
  metadata: CallMetadata,
): Promise<JobRequest> {
  const [content, website_url, custom_idea] = [request.content, request.websiteUrl, request.customIdea].map(textOf);
  if (!content && !website_url && !custom_idea)
    throw new DomainError('missing_field', 'Send content, website_url or custom_idea.', { param: 'content' });
  if (website_url) checkUrl(website_url);
  const { count } = request;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    throw new DomainError('invalid_value', `count must be an integer from 1 to ${MAX_COUNT}.`, { param: 'count' });
  const creative_formats = checkFormats(context, request, business);
  if (request.aiImageType !== undefined && !AI_IMAGE_TYPES.includes(request.aiImageType))
    throw new DomainError('invalid_value', `ai_image_type must be one of ${AI_IMAGE_TYPES.join(', ')}.`, { param: 'ai_image_type' });
  await checkTemplates(context, request.templateIds, creative_formats, metadata);
  return {
    ...{ content: content ?? null, website_url: website_url ?? null, custom_idea: custom_idea ?? null, count, creative_formats },
    ai_image_type: request.aiImageType ?? null,
    ai_image_style: textOf(request.aiImageStyle) ?? null,
    template_ids: request.templateIds,
    voice: textOf(request.voice) ?? null,
    include_stock: request.includeStock ?? business.includeStock,
    aspect_ratio: checkRatio(request.aspectRatio ?? business.defaultAspectRatio),
  };
}

/** A text without a visible character counts as absent. */
const textOf = (text: string | undefined): string | undefined => (text !== undefined && /[^\s\p{C}\p{Z}]/u.test(text) ? text : undefined);

function checkUrl(text: string): void {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new DomainError('invalid_value', 'website_url must be an http or https URL.', { param: 'website_url' });
  if (url.username !== '' || url.password !== '')
    throw new DomainError('invalid_value', 'website_url must not contain a user name or password.', { param: 'website_url' });
}

/** The formats of the request, or else of the business. Formats without a provider are rejected in the request, and skipped in the defaults. */
function checkFormats({ config }: Context, { creativeFormats }: CreateJobRequest, business: Business): CreativeFormat[] {
  const missing: Partial<Record<CreativeFormat, string>> = {
    ...(!config.imageModel && { 'ai-image': 'IMAGE_MODEL_URL' }),
    ...(!config.videoModel && { 'ai-video': 'VIDEO_MODEL_URL' }),
  };
  for (const [index, format] of creativeFormats.entries()) {
    const param = `creative_formats.${index}`;
    if (!isCreativeFormat(format)) throw new DomainError('invalid_value', `“${format.slice(0, 40)}” is not a creative format.`, { param });
    const setting = missing[format];
    if (setting !== undefined)
      throw new DomainError('invalid_value', `${format} is not available on this server, because ${setting} is not set.`, { param });
  }
  if (creativeFormats.length > 0) return creativeFormats as CreativeFormat[];
  const usual = business.defaultCreativeFormats.filter(isCreativeFormat).filter((format) => missing[format] === undefined);
  return usual.length > 0 ? usual : ['design'];
}

async function checkTemplates(
  { db }: Context,
  ids: readonly string[],
  formats: readonly CreativeFormat[],
  metadata: CallMetadata,
): Promise<void> {
  const templates = await Promise.all(ids.map((id) => findTemplate(db, metadata, id)));
  const unknown = templates.indexOf(undefined);
  if (unknown >= 0)
    throw new DomainError('invalid_value', 'This business has no template with this id.', {
      param: `template_ids.${unknown}`,
    });
  if (ids.length === 0) return;
  const drawn = new Set(formats.flatMap((format) => DRAWN_BY[format] ?? []));
  const lacking = TEMPLATE_FORMATS.find(
    (format) => drawn.has(format) && !templates.some((template) => template?.definition.format === format),
  );
  if (lacking !== undefined)
    throw new DomainError('invalid_value', `The creative formats need a template with the format ${lacking}, and none of these has it.`, {
      param: 'template_ids',
    });
}
