import type { PatchOperation } from '@fanfare/contracts/content';

/** New values of overrides, by platform or by account (if it has an override of its own), and by field. A field in options is written `options.media_fit`. */
export type OverrideChanges = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The overrides of a create request. */
interface GivenOverrides {
  readonly platformOverrides: readonly {
    readonly override:
      | {
          readonly platform: string;
          readonly integrationId?: string | undefined;
          readonly options?: Readonly<Record<string, unknown>> | undefined;
        }
      | undefined;
  }[];
}

/** A JSON Patch (RFC 6902) of the post in the request. An empty list of overrides may be missing in it. */
export function patchOf({ platformOverrides: overrides }: GivenOverrides, changes: OverrideChanges): PatchOperation[] {
  const indexOf = (whom: string) => overrides.findIndex(({ override }) => (override?.integrationId ?? override?.platform) === whom);
  const entries = Object.entries(changes);
  const inPlace = entries.flatMap(([platform, fields]) => {
    const index = indexOf(platform);
    const { options, ...others } = nested(fields);
    const hasOptions = overrides[index]?.override?.options !== undefined;
    const members = Object.entries({ ...others, ...(options && (hasOptions ? prefixed(options) : { options })) });
    // `add` also replaces an existing member.
    return index < 0 ? [] : members.map(([name, value]) => ({ op: 'add', path: `/platform_overrides/${index}/${name}`, value }));
  });
  const added = entries.filter(([platform]) => indexOf(platform) < 0).map(([platform, fields]) => ({ platform, ...nested(fields) }));
  if (added.length === 0) return inPlace;
  if (overrides.length === 0) return [{ op: 'add', path: '/platform_overrides', value: added }];
  return [...inPlace, ...added.map((value) => ({ op: 'add', path: '/platform_overrides/-', value }))];
}

const OPTION = /^options\./;

/** The fields in the structure of an override. */
function nested(fields: Readonly<Record<string, string>>): { readonly options?: Readonly<Record<string, string>> } {
  const all = Object.entries(fields);
  const options = all.filter(([name]) => OPTION.test(name)).map(([name, value]) => [name.replace(OPTION, ''), value] as const);
  const others = Object.fromEntries(all.filter(([name]) => !OPTION.test(name)));
  return options.length > 0 ? { ...others, options: Object.fromEntries(options) } : others;
}

const prefixed = (options: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [`options/${name}`, value]));
