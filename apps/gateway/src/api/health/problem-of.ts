/** What callers read of the parts that services report. The same for every organization. */
export const PROBLEMS = {
  'late-posts': { code: 'posts_late', means: 'posts are due and not being published' },
  'late-deliveries': { code: 'deliveries_late', means: 'deliveries to a platform are due and not sent' },
  events: { code: 'events_late', means: 'changes are passed between services late, so results of posts are shown late' },
  canary: { code: 'canary_silent', means: 'a test post, which Fanfare publishes repeatedly to check itself, does not arrive' },
  other: { code: 'work_stalled', means: 'other background work makes no progress' },
} as const;

/** The codes of these parts, each once. */
export function problemsOf(parts: readonly string[]): string[] {
  const codes = parts.map((part) => (isKnown(part) ? PROBLEMS[part] : PROBLEMS.other).code);
  return [...new Set(codes)].sort();
}

const isKnown = (part: string): part is keyof typeof PROBLEMS => Object.hasOwn(PROBLEMS, part);
