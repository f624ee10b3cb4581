import type { ValidatePostResponse } from '@fanfare/contracts/content';
import { z } from 'zod';
import { jsonPatch, patchFromProto, scalar, scalarMember } from './finding-parts.ts';

const finding = z
  .object({
    rule_id: z.string().meta({ description: 'Stable; new ones may come.', example: 'content_missing' }),
    severity: z.string().meta({
      description:
        'error: the post would be refused, or fail where it is sent. warning: it would be taken and sent, perhaps not as it is meant.',
      example: 'error',
    }),
    platform: z.string().nullable().meta({ description: 'The platform that it concerns; null for the post as such.' }),
    field: z.string().nullable().meta({ description: 'Dotted path of the field.', example: 'media_ids.0' }),
    detail: z.string(),
    limit: scalarMember.meta({ description: 'What the platform allows.', example: 280 }),
    value: scalarMember.meta({ description: 'What the post has.', example: 301 }),
    source: z.string().nullable().meta({ description: "The platform's own page about its limits." }),
    fix: jsonPatch
      .nullable()
      .meta({ description: 'A JSON Patch (RFC 6902) of the body, which mends this finding alone; null where nobody can tell.' }),
  })
  .meta({ id: 'Finding' });

/** What a dry run of a post found. */
export const postFindings = z
  .object({
    valid: z.boolean().meta({ description: 'No finding is an error.' }),
    findings: z.array(finding),
    fix: jsonPatch.nullable().meta({ description: 'All fixes at once: apply it, and none of the findings that have one is left.' }),
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
