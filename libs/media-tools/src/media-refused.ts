/** The bytes are not media that we keep. The message is for the caller, the cause for the operator. */
export class MediaRefused extends Error {
  override readonly name = 'MediaRefused';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
