import type { ValidatePostResponse } from '@fanfare/contracts/content';
import { patchFromProto, scalar } from '@fanfare/resources';
import { z } from 'zod';
import { jsonPatch, scalarMember } from './finding-parts.ts';

const finding = z
  .object({
    rule_id: z.string().meta({ description: 'A stable id. New rules may be added.', example: 'content_missing' }),
    severity: z.string().meta({
      description:
        'error: the post would be rejected, or fail to publish. warning: the post would be published, but perhaps not as intended.',
      example: 'error',
    }),
    platform: z.string().nullable().meta({ description: 'The platform of the finding; null if it concerns the post in general.' }),
    field: z.string().nullable().meta({ description: 'The dotted path of the field.', example: 'media_ids.0' }),
    detail: z.string(),
    limit: scalarMember.meta({ description: 'The limit of the platform.', example: 280 }),
    value: scalarMember.meta({ description: 'The actual value in the post.', example: 301 }),
    source: z.string().nullable().meta({ description: "The platform's page about its limits." }),
    fix: jsonPatch
      .nullable()
      .meta({ description: 'A JSON Patch (RFC 6902) for the body that fixes only this finding; null if there is no automatic fix.' }),
  })
  .meta({ id: 'Finding' });

/** The findings of a dry run. */
export const postFindings = z
  .object({
    valid: z.boolean().meta({ description: 'True if no finding is an error.' }),
    findings: z.array(finding),
    fix: jsonPatch.nullable().meta({ description: 'All fixes in one JSON Patch: applying it resolves every finding that has a fix.' }),
  })
  .meta({ id: 'PostFindings' });

export function postFindingsFromProto({ findings: found, fix }: ValidatePostResponse): z.input<typeof postFindings> {
  return {
    valid: found.every(({ severity }) => severity !== 'FINDING_SEVERITY_ERROR'),
    fix: patchFromProto(fix),
    findings: found.map(({ ruleId, severity, platform, field, detail, limit, value, source, fix: own }) => ({
      rule_id: ruleId,
      severity: severity.replace('FINDING_SEVERITY_', '').toLowerCase(),
      platform: platform ?? null,
      field: field ?? null,
      detail,
      limit: scalar(limit),
      value: scalar(value),
      source: source ?? null,
      fix: patchFromProto(own),
    })),
  };
}
