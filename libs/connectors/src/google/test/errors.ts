/** An error in the format of Google's APIs. */
export const googleError = (code: number, more: object, message = 'In words') => ({ error: { code, message, ...more } });
