import type { CreatePostRequest, PatchOperation } from '@fanfare/contracts/content';

/** Texts that overrides should have, by platform and field. */
export type OverrideChanges = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A JSON Patch (RFC 6902) of the post that was given, which may or may not have a list of overrides when that is empty. */
export function patchOf(post: Pick<CreatePostRequest, 'platformOverrides'>, changes: OverrideChanges): PatchOperation[] {
  const indexOf = (platform: string) => post.platformOverrides.findIndex(({ override }) => override?.platform === platform);
  const entries = Object.entries(changes);
  const inPlace = entries.flatMap(([platform, fields]) => {
    const index = indexOf(platform);
    // What is there already is replaced by an `add` too.
    return index < 0
      ? []
      : Object.entries(fields).map(([field, value]) => ({
          op: 'add',
          path: `/platform_overrides/${index}/${field}`,
          value: value,
        }));
  });
  const added = entries.filter(([platform]) => indexOf(platform) < 0).map(([platform, fields]) => ({ platform, ...fields }));
  if (added.length === 0) return inPlace;
  if (post.platformOverrides.length === 0) return [{ op: 'add', path: '/platform_overrides', value: added }];
  return [...inPlace, ...added.map((value) => ({ op: 'add', path: '/platform_overrides/-', value }))];
}
