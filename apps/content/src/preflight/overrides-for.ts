/** What an override is for. */
interface Whom {
  readonly platform: string;
  readonly integrationId?: string | undefined;
}

/** An override, and where it stands in the post. */
interface PlacedOverride<T> {
  readonly index: number;
  readonly override: T;
}

/** The overrides that hold for an account, or for a platform's accounts without one of their own: what comes first wins, field by field. */
export function overridesFor<T extends Whom>(
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
