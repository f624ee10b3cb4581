/** The platform or account that an override is for. */
interface OverrideTarget {
  readonly platform: string;
  readonly integrationId?: string | undefined;
}

/** An override and its index in the post. */
interface PlacedOverride<T> {
  readonly index: number;
  readonly override: T;
}

/**
 * The overrides that apply to an account, or to the accounts of a platform without an override of their own. Field by field, the first one with a value
 * takes precedence.
 */
export function overridesFor<T extends OverrideTarget>(
  overrides: readonly T[],
  platform: string,
  integrationId: string | undefined,
): readonly PlacedOverride<T>[] {
  const placed = overrides.map((override, index) => ({ override, index }));
  return [
    ...placed.filter(({ override }) => integrationId !== undefined && override.integrationId === integrationId),
    ...placed.filter(({ override }) => override.platform === platform),
  ];
}
