/** What the library is told of a file beside its bytes; in the names that its port for bytes reads. */
export interface UploadDescription {
  readonly file_name?: string | undefined;
  readonly folder_id?: string | undefined;
  readonly alt_text?: string | undefined;
  readonly description?: string | undefined;
}

/** The header that it travels in: text of any script does not fit into one as it is. */
export const descriptionHeader = (description: UploadDescription): Record<string, string> => ({
  'x-media': Buffer.from(JSON.stringify(description)).toString('base64'),
});
