/** Pinterest's times may have no zone; they are UTC. */
export function withZone(time: string | undefined): string | undefined {
  return time !== undefined && /T[\d:.]+$/.test(time) ? `${time}Z` : time;
}
