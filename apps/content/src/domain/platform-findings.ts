import {
  asConverted,
  checkContent,
  checkOptions,
  checkUnsent,
  conversionFor,
  limitsFor,
  optionsOver,
  platformRules,
  type AccountKind,
  type CheckedContent,
  type CheckedMedia,
  type ContentFinding,
  type Options,
  type PlatformRules,
} from '@fanfare/connectors/preflight';
import type { Platform } from '@fanfare/connectors/platform';
import type { CreatePostRequest, Finding } from '@fanfare/contracts/content';
import { givenPost, suppliesContent, type CheckedPost } from './checked-post.ts';
import { patchOf, type OverrideChanges } from './fix-overrides.ts';
import { fixOf } from './fix-of.ts';
import { saidTo, type Said } from './said-to.ts';

/** A connected account that a post goes to. Its settings stand behind what the post says. Undefined is what is not known. */
export interface CheckedAccount {
  readonly platform: string;
  /** The platform's id of it. */
  readonly accountId?: string | undefined;
  readonly settings: Options | undefined;
}

/** What is found, and the texts that mend all of it. */
export interface PlatformFindings {
  readonly findings: Finding[];
  readonly changes: OverrideChanges;
}

/**
 * Holds a post that would be created against the limits of the platforms that it goes to: the tables by which it is published.
 * @param media what the library knows of `media_ids`; undefined when it does not know all of them
 */
export function platformFindings(
  post: CreatePostRequest,
  platforms: readonly string[],
  media: readonly CheckedMedia[] | undefined,
  accounts: readonly CheckedAccount[] = [],
): PlatformFindings {
  return findingsIn(givenPost(post, media), platforms, accounts);
}

/** The same of a post in either shape. */
export function findingsIn(post: CheckedPost, platforms: readonly string[], accounts: readonly CheckedAccount[]): PlatformFindings {
  const findings: Finding[] = [];
  const changes: Record<string, Record<string, string>> = {};
  const given = { platformOverrides: post.overrides.map((override) => ({ override })) };
  for (const platform of new Set(platforms)) {
    const rules = platformRules[platform as Platform];
    if (!rules) continue;
    const said = saidTo(platform, post);
    const told = new Map<string, Finding>();
    // Accounts of a platform may be of several kinds, and have settings that differ: what is wrong with one of them is wrong.
    for (const { kind, options, isComplete } of waysTo(
      said,
      accounts.filter((account) => account.platform === platform),
      rules,
    )) {
      const content = { ...said.content, options };
      const warnings = [...conversionsOf(said, content, rules), ...unsentOf(said, content, rules)];
      for (const finding of [...warnings, ...problemsOf(said, content, rules, { kind, isComplete })]) {
        // A post without any content is told once, and not for each platform.
        if (finding.rule === 'required' && finding.field === 'caption' && !suppliesContent(post)) continue;
        const fixed = fixOf(content, finding, rules);
        const before = fixed && changes[platform]?.[fixed.field];
        // What fits everywhere is the shortest.
        if (fixed && (before === undefined || fixed.value.length < before.length)) (changes[platform] ??= {})[fixed.field] = fixed.value;
        const fix = fixed ? patchOf(given, { [platform]: { [fixed.field]: fixed.value } }) : [];
        const { rule, field, part, limit } = finding;
        told.set(`${rule} ${field} ${part} ${limit}`, { ...toFinding(finding, said, platform, rules), fix });
      }
    }
    findings.push(...told.values());
  }
  return { findings, changes };
}

interface Way {
  readonly kind: AccountKind | undefined;
  readonly options: Options;
  readonly isComplete: boolean;
}

/** What the platform is told besides the content, and by whom, once for each way in which accounts differ. Incomplete where an account's part is not known. */
function waysTo(said: Said, accounts: readonly CheckedAccount[], { accountKind }: PlatformRules): Way[] {
  if (accounts.length === 0) return [{ kind: undefined, options: said.options, isComplete: false }];
  const all = accounts.map(({ accountId, settings = {}, settings: known }) => ({
    kind: accountId === undefined ? undefined : accountKind?.(accountId),
    options: optionsOver(settings, said.options),
    isComplete: known !== undefined,
  }));
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

type Found = Omit<ContentFinding, 'rule' | 'limit' | 'value'> & {
  readonly rule: string;
  readonly limit?: ContentFinding['limit'] | undefined;
  readonly value?: ContentFinding['value'] | undefined;
  readonly isWarning?: true;
};

function conversionsOf({ content: { media } }: Said, { options }: CheckedContent, { limits }: PlatformRules): Found[] {
  return media.flatMap((one, index) => {
    const conversion = conversionFor(limits, one, options);
    if (!conversion) return [];
    const message = `It is not taken as it is (${one.mimeType}, ${one.sizeBytes} bytes, ${one.width} × ${one.height}): ${conversion.mimeType}${conversion.background === undefined ? '' : `, padded with ${conversion.background} where its ratio needs it,`} is made of it, and sent.`;
    return [{ rule: 'converted', field: `media.${index}`, message, isWarning: true } as const];
  });
}

function unsentOf({ media: { known }, isOwnLink, options }: Said, content: CheckedContent, rules: PlatformRules): Found[] {
  const hasMedia = known === undefined || known.length > 0;
  return checkUnsent(rules, content, { hasMedia, isOwnLink, ownOptions: options }).map((finding) => ({ ...finding, isWarning: true }));
}

function problemsOf(
  { media }: Said,
  content: CheckedContent,
  rules: PlatformRules,
  { kind, isComplete }: Pick<Way, 'kind' | 'isComplete'>,
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
    ...(media.count > max ? [{ rule: 'max_count', field: 'media', limit: max, value: media.count, message }] : []),
  ];
}

function toFinding(
  { rule, field, part, message, limit, value, isWarning }: Found,
  said: Said,
  platform: string,
  { source }: PlatformRules,
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
