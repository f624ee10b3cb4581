import type { Platform } from './platform.ts';

type Name = Parameters<Platform['settingsOf']>[0];

/** What a platform reports of its health, to operators and to customers. */
export function healthOf({ fanfare, settingsOf }: Platform) {
  const adminOf = (name: Name, at: string) => fetch(`http://${settingsOf(name)['ADMIN_ADDRESS']}${at}`);
  return {
    /** @param at a path of the admin port, such as `/readyz` */
    statusOf: async (name: Name, at: string): Promise<number> => (await adminOf(name, at)).status,
    /** Why `/readyz` of the gateway is red because of the canary; undefined if it is not. */
    canaryProblem: async (): Promise<string | undefined> =>
      ((await (await adminOf('gateway', '/readyz')).json()) as { problems: Record<string, string> }).problems['canary'],
    /** The value of a metric of the gateway whose line begins like this. */
    async metric(start: string): Promise<number> {
      const lines = (await (await adminOf('gateway', '/metrics')).text()).split('\n');
      return Number(
        lines
          .find((line) => line.startsWith(start))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    },
    /** The services that GET /api/health reports as degraded because of late events. */
    async withLateEvents(): Promise<string[]> {
      const { services } = await fanfare.health.get();
      return Object.entries(services).flatMap(([name, { status, problems }]) =>
        status === 'degraded' && problems.includes('events_late') ? [name] : [],
      );
    },
  };
}
