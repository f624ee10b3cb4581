import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { cancelJob } from './cancel-job.ts';
import { createDesign } from './create-design.ts';
import { createJob } from './create-job.ts';
import { createTemplate } from './create-template.ts';
import { deleteDesign } from './delete-design.ts';
import { deleteTemplate } from './delete-template.ts';
import { erase } from './erase.ts';
import { getDesign } from './get-design.ts';
import { getJob } from './get-job.ts';
import { getTemplatePreview } from './get-template-preview.ts';
import { getTemplate } from './get-template.ts';
import { getUsage } from './get-usage.ts';
import { listDesigns } from './list-designs.ts';
import { listJobs } from './list-jobs.ts';
import { listTemplates } from './list-templates.ts';
import { renderDesign } from './render-design.ts';
import type { served } from './rpc.ts';
import { suggestCaptions } from './suggest-captions.ts';
import { updateDesign } from './update-design.ts';

export const handlers = (context: Context): Handlers<typeof served> => ({
  createJob: createJob(context),
  getJob: getJob(context),
  listJobs: listJobs(context),
  cancelJob: cancelJob(context),
  suggestCaptions: suggestCaptions(context),
  getUsage: getUsage(context),
  listTemplates: listTemplates(context),
  getTemplate: getTemplate(context),
  createTemplate: createTemplate(context),
  deleteTemplate: deleteTemplate(context),
  getTemplatePreview: getTemplatePreview(context),
  createDesign: createDesign(context),
  getDesign: getDesign(context),
  listDesigns: listDesigns(context),
  updateDesign: updateDesign(context),
  deleteDesign: deleteDesign(context),
  erase: erase(context),
  renderDesign: renderDesign(context),
});
