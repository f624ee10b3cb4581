import type { Finding } from '@fanfare/contracts/content';
import { z } from 'zod';

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
  })
  .meta({ id: 'Finding' });

/** What a dry run of a post found. */
export const postFindings = z
  .object({ valid: z.boolean().meta({ description: 'No finding is an error.' }), findings: z.array(finding) })
  .meta({ id: 'PostFindings' });

export function postFindingsFromProto(found: readonly Finding[]): z.input<typeof postFindings> {
  return {
    valid: found.every(({ severity }) => severity !== 'FINDING_SEVERITY_ERROR'),
    findings: found.map(({ ruleId, severity, platform, field, detail }) => ({
      rule_id: ruleId,
      severity: severity.replace('FINDING_SEVERITY_', '').toLowerCase(),
      platform: platform ?? null,
      field: field ?? null,
      detail,
    })),
  };
}
