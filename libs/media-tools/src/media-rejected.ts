/** A file that cannot be accepted or converted, because of the file itself. `message` is for the caller, `cause` for the operator. */
export class MediaRejected extends Error {
  override readonly name = 'MediaRejected';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
