/** The ids that can be the platform's. Any other is of no post, and could make another request of the one that it becomes part of. */
export const idsLike = (pattern: RegExp, ids: readonly string[]): string[] => ids.filter((id) => pattern.test(id));
