import { z } from 'zod';
import type { ShownExport } from '../../accounts/index.ts';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { selfLink } from '../common/self-link.ts';
import { timestamp } from '../common/timestamp.ts';

/** An export of everything of an organization. */
export const organizationExport = z
  .object({
    self: selfLink(),
    id: z.uuid(),
    organization_id: z.uuid(),
    status: z.string().meta({ description: 'pending, completed or failed.', example: 'completed' }),
    created_at: timestamp(),
    ended_at: timestamp().nullable(),
    url: z.string().nullable().meta({
      description:
        'The URL of the archive, a zip file. It requires no credential: whoever has the URL can download the archive. Supports `Range`. Each response has a new URL. Null until the export is completed.',
    }),
    url_expires_at: timestamp().nullable().meta({ description: 'When `url` stops working.' }),
    expires_at: timestamp().nullable().meta({ description: 'When the archive is deleted.' }),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().meta({ description: 'The SHA-256 of the archive, in hexadecimal.' }),
  })
  .meta({ id: 'OrganizationExport' });

type Body = z.input<typeof organizationExport>;

export function exportFromStore({ document, url }: ShownExport): Body {
  const { _id, organization_id, state, created_at, ended_at, expires_at, size_bytes, sha256 } = document;
  return {
    id: _id,
    organization_id,
    status: state,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    url: url?.publicUrl ?? null,
    url_expires_at: url?.urlExpiresAt?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
    size_bytes: size_bytes ?? null,
    sha256: sha256 ?? null,
  };
}

const EXAMPLE_ID = '0197f3ad-5f60-7172-8495-a6b7c8d9ef4e';

export const examplePendingExport: Body = {
  id: EXAMPLE_ID,
  organization_id: EXAMPLE_IDS.organization_id,
  status: 'pending',
  created_at: '2026-08-06T09:30:00.000Z',
  ended_at: null,
  url: null,
  url_expires_at: null,
  expires_at: null,
  size_bytes: null,
  sha256: null,
};

export const exampleExport: Body = {
  ...examplePendingExport,
  status: 'completed',
  ended_at: '2026-08-06T09:31:12.000Z',
  url: `https://api.fanfare.example/media/${EXAMPLE_ID}/k1.9s0mVvZl3pG6yX0bqk3nWfJ1tqg8o0mYk9c2m1x5dJQ?expires=1786008672`,
  url_expires_at: '2026-08-06T10:31:12.000Z',
  expires_at: '2026-08-07T09:31:12.000Z',
  size_bytes: 48213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
