/** Unix time. The Graph API rejects times before 1970. */
export const seconds = (time: Date | undefined) => time && Math.max(0, Math.floor(time.getTime() / 1_000));
