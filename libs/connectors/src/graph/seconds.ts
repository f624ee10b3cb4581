/** Unix time. The Graph API knows no time before 1970, and refuses a negative one. */
export const seconds = (time: Date | undefined) => time && Math.max(0, Math.floor(time.getTime() / 1_000));
