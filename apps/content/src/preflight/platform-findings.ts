import {
  asConverted,
  checkContent,
  checkOptions,
  limitsFor,
  platformRules,
  sourceOf,
  type CheckedContent,
  type CheckedMedia,
  type ContentFinding,
  type PlatformRules,
} from '@fanfare/connectors/preflight';
import type { Platform } from '@fanfare/connectors/platform';
import type { CreatePostRequest, Finding } from '@fanfare/contracts/content';
import { givenPost, suppliesContent, type CheckedPost } from './checked-post.ts';
import { fixOf } from './fix-of.ts';
import { patchOf, type OverrideChanges } from './fix-overrides.ts';
import { trackingOf, withTrackingNote } from './tracked-content.ts';
import { warningsOf } from './platform-warnings.ts';
import { platformContent, type PlatformContent } from './platform-content.ts';
import { variantsFor, type CheckedAccount, type AccountVariant } from './account-variants.ts';

/** Findings, and the values that fix all of them. */
interface PlatformFindings {
  readonly findings: Finding[];
  readonly changes: OverrideChanges;
}

/**
 * Checks a post that would be created against the limits of its platforms, with the same tables that are used for publishing.
 * @param media the facts of `media_ids`; undefined if those of at least one are unknown
 * @param mediaOfOverrides the same for the media of each override
 */
export function platformFindings(
  post: CreatePostRequest,
  platforms: readonly string[],
  media: readonly CheckedMedia[] | undefined,
  accounts: readonly CheckedAccount[] = [],
  mediaOfOverrides: readonly (readonly CheckedMedia[] | undefined)[] = [],
): PlatformFindings {
  return findingsIn(givenPost(post, media, mediaOfOverrides), platforms, accounts);
}

/** Like `platformFindings`, for a post from a request or from the database. */
export function findingsIn(post: CheckedPost, platforms: readonly string[], accounts: readonly CheckedAccount[]): PlatformFindings {
  const findings: Finding[] = [];
  const changes: Record<string, Record<string, string>> = {};
  const given = { platformOverrides: post.overrides.map((override) => ({ override })) };
  const all = new Set(platforms);
  const isAlone = post.isRestricted && all.size === 1;
  for (const { platform, integrationId, accounts: among } of groupsOf(post, all, accounts)) {
    const rules = platformRules[platform as Platform];
    if (!rules) continue;
    // The override that a fix belongs to.
    const overrideKey = integrationId ?? platform;
    const onPlatform = platformContent(platform, post, isAlone, integrationId);
    const merged = new Map<string, Finding>();
    const variants = variantsFor(onPlatform.options, among, rules);
    const foundBy = new Map<string, Set<AccountVariant>>();
    const track = trackingOf(post, platform as Platform, rules);
    // A problem with one account is a finding, even if other accounts have none.
    for (const variant of variants) {
      const content = { ...onPlatform.content, options: variant.options };
      const sent = track(content);
      const problems = problemsOf(onPlatform, sent, rules, variant).map((finding) => withTrackingNote(finding, content, sent));
      for (const finding of [...warningsOf(onPlatform, content, rules), ...problems]) {
        // Missing content is reported once by another rule, not for each platform.
        if (finding.rule === 'required' && finding.field === 'caption' && !suppliesContent(post)) continue;
        const fixed = fixOf(content, finding, rules, track);
        const before = fixed && changes[overrideKey]?.[fixed.field];
        // Of several fixes of a field, the shortest one is accepted everywhere.
        if (fixed && (before === undefined || fixed.value.length < before.length)) (changes[overrideKey] ??= {})[fixed.field] = fixed.value;
        const fix = fixed ? patchOf(given, { [overrideKey]: { [fixed.field]: fixed.value } }) : [];
        const { rule, field, part, limit } = finding;
        const key = `${rule} ${field} ${part} ${limit}`;
        foundBy.set(key, (foundBy.get(key) ?? new Set()).add(variant));
        const source = sourceOf(rules, content, field);
        merged.set(key, { ...toFinding(finding, onPlatform, platform, source), fix });
      }
    }
    const isOfAll = (found: number) => integrationId === undefined && found === variants.length;
    for (const [key, finding] of merged) findings.push(withAccounts(finding, [...(foundBy.get(key) ?? [])], isOfAll));
  }
  return { findings, changes };
}

interface Group {
  readonly platform: string;
  /** The account, if it has an override of its own. */
  readonly integrationId?: string;
  readonly accounts: readonly CheckedAccount[];
}

/** Targets with the same content: the accounts of a platform together, and each account that has an override of its own. */
function groupsOf(post: CheckedPost, platforms: ReadonlySet<string>, accounts: readonly CheckedAccount[]): Group[] {
  const own = new Set(post.overrides.flatMap(({ integrationId }) => integrationId ?? []));
  return [...platforms].flatMap((platform): Group[] => {
    const all = accounts.filter((account) => account.platform === platform);
    const [alone, shared] = [
      all.filter(({ integrationId = '' }) => own.has(integrationId)),
      all.filter(({ integrationId = '' }) => !own.has(integrationId)),
    ];
    const each = alone.map((account) => ({ platform, integrationId: account.integrationId ?? '', accounts: [account] }));
    // A platform without accounts is checked too, because one may be connected later.
    return shared.length > 0 || alone.length === 0 ? [{ platform, accounts: shared }, ...each] : each;
  });
}

type Found = ContentFinding & { readonly isWarning?: true };

function problemsOf(
  { media }: PlatformContent,
  content: CheckedContent,
  rules: PlatformRules,
  { kind, isComplete }: Pick<AccountVariant, 'kind' | 'isComplete'>,
): Found[] {
  const limits = limitsFor(rules.limits, content.options);
  const sent = { ...content, media: content.media.map((one) => asConverted(rules.limits, one, content.options)) };
  const inOptions = checkOptions(rules, content.options).filter(({ rule }) => isComplete || rule !== 'required');
  const found = [...checkContent(rules, sent, kind), ...inOptions];
  if (media.known) return found;
  const max = Math.max(limits.maxMedia, limits.images.max, limits.videos.max);
  const message = `${media.count} media; at most ${max} are allowed.`;
  return [
    ...found.filter(({ rule, field }) => !/^media\b/.test(field) && (rule !== 'required' || field.startsWith('options.'))),
    ...(media.count > max ? [{ rule: 'max_count' as const, field: 'media', limit: max, value: media.count, message }] : []),
  ];
}

function toFinding(
  { rule, field, part, message, limit, value, isWarning }: Found,
  onPlatform: PlatformContent,
  platform: string,
  source: string,
): Finding {
  return {
    ruleId: `${part ?? field.replace(/\..*/, '')}_${rule}`,
    severity: isWarning ? 'FINDING_SEVERITY_WARNING' : 'FINDING_SEVERITY_ERROR',
    platform,
    field: onPlatform.pathOf(field),
    detail: message,
    limit,
    value,
    source,
    fix: [],
  };
}

/** A finding that applies only to some accounts of a platform lists them. */
function withAccounts(finding: Finding, found: readonly AccountVariant[], isOfAll: (found: number) => boolean): Finding {
  const ids = found.flatMap(({ integrationIds }) => integrationIds);
  if (isOfAll(found.length) || ids.length === 0) return finding;
  return { ...finding, detail: `${finding.detail} Affected ${ids.length > 1 ? 'accounts' : 'account'}: ${ids.join(', ')}.` };
}
