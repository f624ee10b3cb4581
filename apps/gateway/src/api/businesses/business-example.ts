import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { business, businessSummary } from './business.ts';

/** For the OpenAPI description. */
export const exampleBusinessSummary: z.input<typeof businessSummary> = {
  id: EXAMPLE_IDS.business_id,
  created_at: '2026-08-03T08:00:00.000Z',
  name: 'Corner Bakery',
  description: 'Sourdough bread and pastry, baked in the shop.',
  industry: 'Food and drink',
  website: 'https://bakery.example.com',
  language: 'en',
  updated_at: '2026-08-05T14:20:00.000Z',
};

export const exampleBusiness: z.input<typeof business> = {
  ...exampleBusinessSummary,
  tone: 'Warm and short',
  writing_rules: ['Never promise a delivery time.'],
  palette: ['#aa3300', '#fff8f0'],
  fonts: ['Playfair Display', 'Inter'],
  logo_media_id: EXAMPLE_IDS.media_id,
  timezone: 'Europe/Berlin',
  default_creative_formats: ['image', 'carousel'],
  default_aspect_ratio: '4:5',
  include_stock: true,
  link_tracking: { utm_source: '{platform}', utm_medium: 'social', utm_campaign: 'spring', utm_term: null, utm_content: '{post_id}' },
  misfire_policy: 'publish_late',
  misfire_limit_minutes: 1440,
  deletion: null,
};

/** As one is that was just created with a name, an industry, a time zone and a palette. */
export const exampleNewBusiness: z.input<typeof business> = {
  ...exampleBusiness,
  description: '',
  website: '',
  updated_at: exampleBusiness.created_at,
  tone: '',
  writing_rules: [],
  palette: ['#aa3300'],
  fonts: [],
  logo_media_id: null,
  default_creative_formats: ['design'],
  default_aspect_ratio: '1:1',
  link_tracking: null,
};
