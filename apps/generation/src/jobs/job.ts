import type { LeasedRow } from '@fanfare/leased-work';
import type { CallMetadata } from '@fanfare/rpc';
import type { CreativeFormat } from '../formats.ts';
import type { Source } from '../input/source.ts';
import type { Charge } from '../quota/charge.ts';
import type { AspectRatio } from '../templates/template.ts';
import type { Brief, Idea, Topic, Usage } from '../writing/composer.ts';
import type { Draft } from './drafts/draft.ts';

export type JobStatus = 'pending' | 'completed' | 'failed';

/** In order. A step starts after all steps before it are recorded. */
export type JobStep = 'input' | 'ideas' | 'copy' | 'creatives' | 'posts' | 'done';

/** The request, with the defaults of the business. */
export interface JobRequest {
  content: string | null;
  website_url: string | null;
  custom_idea: string | null;
  count: number;
  creative_formats: CreativeFormat[];
  ai_image_type: string | null;
  ai_image_style: string | null;
  template_ids: string[];
  voice: string | null;
  include_stock: boolean;
  aspect_ratio: AspectRatio;
}

/** The colors, fonts and logo of the business when the job started. */
export interface BusinessLook {
  palette: string[];
  fonts: string[];
  logo_media_id: string | null;
}

/**
 * A request to generate posts. The result of each step is recorded before the next one starts, so that another process can continue the job. The ids of
 * everything that a job makes derive from its own, so that nothing is made twice.
 */
export interface JobDocument extends LeasedRow {
  organization_id: string;
  business_id: string;
  created_at: Date;
  updated_at: Date;
  /** The actor of its calls to other services. */
  call: CallMetadata;
  request: JobRequest;
  status: JobStatus;
  step: JobStep;
  /** Whether the job has not ended. */
  open: boolean;
  /** When it is due; while it is leased, when the lease ends. */
  run_at: Date;
  /** The reserved charge; absent after it ends. */
  charge: Charge;
  composer: string;
  usage: Usage;
  brief?: Brief;
  look?: BusinessLook;
  topics?: Topic[];
  source?: Source;
  ideas?: Idea[];
  /** How the composer cannot follow the request. */
  warnings?: string[];
  /** By `d0`, `d1`, …, instead of an array, so that each can be written separately. */
  drafts: Record<string, Draft>;
  error?: string;
  ended_at?: Date;
}
