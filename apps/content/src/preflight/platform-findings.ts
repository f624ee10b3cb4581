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

/** What is found, and the texts that mend all of it. */
interface PlatformFindings {
  readonly findings: Finding[];
  readonly changes: OverrideChanges;
}

/**
 * Holds a post that would be created against the limits of the platforms that it goes to: the tables by which it is published.
 * @param media what the library knows of `media_ids`; undefined when it does not know all of them
 * @param mediaOfOverrides the same of those of each override
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

/** The same of a post in either shape. */
export function findingsIn(post: CheckedPost, platforms: readonly string[], accounts: readonly CheckedAccount[]): PlatformFindings {
  const findings: Finding[] = [];
  const changes: Record<string, Record<string, string>> = {};
  const given = { platformOverrides: post.overrides.map((override) => ({ override })) };
  const all = new Set(platforms);
  const isAlone = post.isRestricted && all.size === 1;
  for (const { platform, integrationId, accounts: among } of groupsOf(post, all, accounts)) {
    const rules = platformRules[platform as Platform];
    if (!rules) continue;
    // Where a fix belongs.
    const whom = integrationId ?? platform;
    const said = platformContent(platform, post, isAlone, integrationId);
    const told = new Map<string, Finding>();
    const ways = variantsFor(said.options, among, rules);
    const foundBy = new Map<string, Set<AccountVariant>>();
    const track = trackingOf(post, platform as Platform, rules);
    // What is wrong with one account is wrong.
    for (const way of ways) {
      const content = { ...said.content, options: way.options };
      const sent = track(content);
      const problems = problemsOf(said, sent, rules, way).map((finding) => withTrackingNote(finding, content, sent));
      for (const finding of [...warningsOf(said, content, rules), ...problems]) {
        // A post without any content is told once, and not for each platform.
        if (finding.rule === 'required' && finding.field === 'caption' && !suppliesContent(post)) continue;
        const fixed = fixOf(content, finding, rules, track);
        const before = fixed && changes[whom]?.[fixed.field];
        // What fits everywhere is the shortest.
        if (fixed && (before === undefined || fixed.value.length < before.length)) (changes[whom] ??= {})[fixed.field] = fixed.value;
        const fix = fixed ? patchOf(given, { [whom]: { [fixed.field]: fixed.value } }) : [];
        const { rule, field, part, limit } = finding;
        const key = `${rule} ${field} ${part} ${limit}`;
        foundBy.set(key, (foundBy.get(key) ?? new Set()).add(way));
        const source = sourceOf(rules, content, field);
        told.set(key, { ...toFinding(finding, said, platform, source), fix });
      }
    }
    const isOfAll = (found: number) => integrationId === undefined && found === ways.length;
    for (const [key, finding] of told) findings.push(withAccounts(finding, [...(foundBy.get(key) ?? [])], isOfAll));
  }
  return { findings, changes };
}

interface Group {
  readonly platform: string;
  /** The account, where it has an override of its own. */
  readonly integrationId?: string;
  readonly accounts: readonly CheckedAccount[];
}

/** To whom the same is said: the accounts of a platform, and apart from them each that has an override of its own. */
function groupsOf(post: CheckedPost, platforms: ReadonlySet<string>, accounts: readonly CheckedAccount[]): Group[] {
  const own = new Set(post.overrides.flatMap(({ integrationId }) => integrationId ?? []));
  return [...platforms].flatMap((platform): Group[] => {
    const all = accounts.filter((account) => account.platform === platform);
    const [alone, shared] = [
      all.filter(({ integrationId = '' }) => own.has(integrationId)),
      all.filter(({ integrationId = '' }) => !own.has(integrationId)),
    ];
    const each = alone.map((account) => ({ platform, integrationId: account.integrationId ?? '', accounts: [account] }));
    // Without an account the platform is checked all the same: it may get one.
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
  said: PlatformContent,
  platform: string,
  source: string,
): Finding {
  return {
    ruleId: `${part ?? field.replace(/\..*/, '')}_${rule}`,
    severity: isWarning ? 'FINDING_SEVERITY_WARNING' : 'FINDING_SEVERITY_ERROR',
    platform,
    field: said.pathOf(field),
    detail: message,
    limit,
    value,
    source,
    fix: [],
  };
}

/** What is found with some accounts of a platform, and not with others, names those. */
function withAccounts(finding: Finding, found: readonly AccountVariant[], isOfAll: (found: number) => boolean): Finding {
  const ids = found.flatMap(({ integrationIds }) => integrationIds);
  if (isOfAll(found.length) || ids.length === 0) return finding;
  return { ...finding, detail: `${finding.detail} Affected ${ids.length > 1 ? 'accounts' : 'account'}: ${ids.join(', ')}.` };
}
