import { GeneratedPost, type GenerationServiceService, Job, Template, type CreateJobRequest } from '@fanfare/contracts/generation';
import { Design } from '@fanfare/contracts/generation/designs';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata, Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';

const AT = new Date('2026-08-06T09:30:00.000Z');
type Generation = Handlers<typeof GenerationServiceService>;

/** The bytes of every preview. */
export const PREVIEW = Buffer.from('RIFF WEBP');

/** A generation service that completes every job immediately, and stores designs and templates. */
export function fakeGeneration(note: Note): Generation {
  const jobs = new Map<string, Job>();
  const designs = new Map<string, Design>();
  const templates = new Map<string, Template>();
  const find = <T extends { businessId: string }>(all: Map<string, T>, id: string, { businessId }: CallMetadata, what: string): T => {
    const found = all.get(id);
    if (found?.businessId !== businessId) throw notFound(what);
    return found;
  };
  const builtin = Template.fromPartial({ id: 'quote-card', name: 'Quote card', format: 'design', aspectRatios: ['1:1', '4:5'] });
  const changed = (design: Design): { design: Design } => {
    designs.set(design.id, design);
    return { design };
  };

  return {
    async createJob(request: CreateJobRequest, call) {
      note('createJob', request, call);
      if (request.content === undefined && request.websiteUrl === undefined && request.customIdea === undefined)
        throw new DomainError('missing_field', 'Send content, website_url or custom_idea.', { param: 'content' });
      const post = GeneratedPost.fromPartial({
        postId: 'p',
        caption: 'Bread',
        creativeFormat: 'design',
        score: { overall: 90 },
        textContent: {},
      });
      const more = {
        businessId: call.metadata.businessId,
        createdAt: AT,
        updatedAt: AT,
        progress: { step: 'JOB_STEP_INPUT' as const, total: request.count },
      };
      const job = Job.fromPartial({
        id: request.jobId,
        status: 'JOB_STATUS_PENDING',
        composer: 'embedded',
        credits: request.count,
        ...more,
      });
      jobs.set(job.id, {
        ...job,
        status: 'JOB_STATUS_COMPLETED',
        posts: [post],
        endedAt: AT,
        progress: { step: 'JOB_STEP_DONE', completed: 1, total: 1 },
      });
      return { job };
    },
    async getJob(request, call) {
      note('getJob', request, call);
      return { job: find(jobs, request.jobId, call.metadata, 'job') };
    },
    async listJobs(request, call) {
      note('listJobs', request, call);
      if (request.pageToken !== '') throw new DomainError('invalid_request', 'Not a cursor of this list.', { param: 'cursor' });
      return { jobs: [...jobs.values()].filter(({ businessId }) => businessId === call.metadata.businessId), nextPageToken: '' };
    },
    async cancelJob(request, call) {
      note('cancelJob', request, call);
      const job = find(jobs, request.jobId, call.metadata, 'job');
      return { job: { ...job, status: 'JOB_STATUS_FAILED', posts: [], error: 'The job was cancelled.' } };
    },
    async suggestCaptions(request, call) {
      note('suggestCaptions', request, call);
      return { captions: [{ caption: 'Bread! #bread', characters: 13, hashtags: ['bread'] }], composer: 'embedded' };
    },
    async getUsage(request, call) {
      note('getUsage', request, call);
      return { posts: 3, credits: 2, resetAt: new Date('2026-09-01T00:00:00.000Z') };
    },
    async listTemplates(request, call) {
      note('listTemplates', request, call);
      if (request.pageToken !== '') throw new DomainError('invalid_request', 'Not a cursor of this list.', { param: 'cursor' });
      return { templates: [...templates.values(), builtin], nextPageToken: '' };
    },
    async getTemplate(request, call) {
      note('getTemplate', request, call);
      const template = request.templateId === builtin.id ? builtin : templates.get(request.templateId);
      if (!template) throw notFound('template');
      return { template };
    },
    async createTemplate(request, call) {
      note('createTemplate', request, call);
      const { templateId: id, definition } = request;
      const template = Template.fromPartial({
        id,
        name: 'Own',
        isOwn: true,
        previewToken: 'token',
        aspectRatios: ['1:1'],
        definition,
        createdAt: AT,
      });
      templates.set(id, template);
      return { template };
    },
    async deleteTemplate(request, call) {
      note('deleteTemplate', request, call);
      if (!templates.delete(request.templateId)) throw notFound('template');
      return {};
    },
    async getTemplatePreview(request, call) {
      note('getTemplatePreview', request, call);
      if (request.aspectRatio !== '1:1' || request.token === 'wrong') throw notFound('preview');
      return { image: PREVIEW };
    },
    async createDesign(request, call) {
      note('createDesign', request, call);
      const { designId: id, name, templateId, aspectRatio, pages } = request;
      const media = [{ mediaId: id, url: `https://media.example/${id}.png` }];
      const more = {
        businessId: call.metadata.businessId,
        createdAt: AT,
        updatedAt: AT,
        revision: 1,
        palette: request.palette?.items ?? [],
        media,
      };
      return changed(Design.fromPartial({ id, name, templateId, aspectRatio: aspectRatio || '1:1', pages, ...more }));
    },
    async getDesign(request, call) {
      note('getDesign', request, call);
      return { design: find(designs, request.designId, call.metadata, 'design') };
    },
    async listDesigns(request, call) {
      note('listDesigns', request, call);
      if (request.pageToken !== '') throw new DomainError('invalid_request', 'Not a cursor of this list.', { param: 'cursor' });
      return { designs: [...designs.values()].filter(({ businessId }) => businessId === call.metadata.businessId), nextPageToken: '' };
    },
    async updateDesign(request, call) {
      note('updateDesign', request, call);
      const before = find(designs, request.designId, call.metadata, 'design');
      const { expectedRevisions } = request;
      if (expectedRevisions.length > 0 && !expectedRevisions.includes(before.revision))
        throw new DomainError('precondition_failed', 'The design has changed.');
      return changed({ ...before, revision: before.revision + 1, name: request.name ?? before.name });
    },
    async deleteDesign(request, call) {
      note('deleteDesign', request, call);
      find(designs, request.designId, call.metadata, 'design');
      designs.delete(request.designId);
      return {};
    },
    async renderDesign(request, call) {
      note('renderDesign', request, call);
      return { media: find(designs, request.designId, call.metadata, 'design').media };
    },
  };
}
