import type { PlatformResponse } from './http.ts';

/** The version of a platform's API, a month, that requests name in a header. Platforms end a version after about a year. */
export interface ApiVersion {
  /** In lower case. */
  readonly header: string;
  /** `YYYYMM`; operators may configure another. */
  readonly version: string;
  /** Whether the platform rejected the request, without any effect, because it does not have this version or no longer has it. */
  isRejected(response: PlatformResponse): boolean;
}

/** @param next the version that is tried instead; undefined if there is none left to try */
type VersionListener = (version: string, next: string | undefined) => void;

/** Sends a request with the header that names the version. */
export type SendVersioned = (send: (headers: Readonly<Record<string, string>>) => Promise<PlatformResponse>) => Promise<PlatformResponse>;

/** How many months before the configured version are tried. */
const MAX_MONTHS_BACK = 3;

/**
 * Falls back to the versions of the months before if the platform rejects the configured one, and keeps to the first that it accepts. A rejected request
 * was not carried out, so that even a commit can be sent again.
 * @param configured `YYYYMM`
 * @param onRejected called once for each version
 */
export function createVersionFallback(
  { header, version, isRejected }: ApiVersion,
  configured = version,
  onRejected: VersionListener = () => {},
): SendVersioned {
  const versions = withMonthsBefore(configured);
  const reported = new Set<string>();
  let inUse = 0;
  return async (send) => {
    for (let index = inUse; ; index++) {
      const current = versions[index] ?? configured;
      const response = await send({ [header]: current });
      if (!isRejected(response)) {
        inUse = Math.max(inUse, index);
        return response;
      }
      if (!reported.has(current)) {
        reported.add(current);
        onRejected(current, versions[index + 1]);
      }
      if (index >= MAX_MONTHS_BACK) return response;
    }
  };
}

/** The month `YYYYMM` and those before it, latest first. */
function withMonthsBefore(month: string): string[] {
  const [year, monthOfYear] = [Number(month.slice(0, 4)), Number(month.slice(4))];
  return Array.from({ length: MAX_MONTHS_BACK + 1 }, (_, back) =>
    new Date(Date.UTC(year, monthOfYear - 1 - back)).toISOString().slice(0, 7).replace('-', ''),
  );
}
