/** What is paused now, for queries to exclude. */
export interface Paused {
  readonly everything: boolean;
  readonly platforms: readonly string[];
  readonly organizations: readonly string[];
  readonly integrations: readonly string[];
}

/** What a pause applies to: everything, or one platform, organization or account. */
interface Pause {
  readonly _id: string;
  readonly platform?: string;
  readonly organization_id?: string;
  readonly integration_id?: string;
}

/** What can be paused. */
interface Pausable {
  readonly platform: string;
  readonly organization_id: string;
  readonly integration_id: string;
}

/** The union of these pauses. */
export function pausedBy(pauses: readonly Pause[]): Paused {
  return {
    everything: pauses.some(({ platform, organization_id, integration_id }) => !platform && !organization_id && !integration_id),
    platforms: pauses.flatMap(({ platform }) => platform ?? []),
    organizations: pauses.flatMap(({ organization_id }) => organization_id ?? []),
    integrations: pauses.flatMap(({ integration_id }) => integration_id ?? []),
  };
}

export function isPaused({ everything, platforms, organizations, integrations }: Paused, delivery: Pausable): boolean {
  const { platform, organization_id, integration_id } = delivery;
  return everything || platforms.includes(platform) || organizations.includes(organization_id) || integrations.includes(integration_id);
}

/** The ids of the pauses that apply to a delivery that has not ended. */
export const pausesOf = (pauses: readonly Pause[], delivery: Pausable & { readonly open: boolean }): string[] =>
  delivery.open ? pauses.filter((pause) => isPaused(pausedBy([pause]), delivery)).map(({ _id }) => _id) : [];
