/** What a probe finds besides type and size. Fields that a format does not have are absent. Stored, so the fields must keep their names. */
export interface Facts {
  readonly has_alpha?: boolean;
  /** The frames of an animation; 1 for a still image. */
  readonly frames?: number;
  /** Such as srgb or cmyk. */
  readonly colour_space?: string;
  /** EXIF orientation, 1 to 8, as stored in the file. */
  readonly orientation?: number;
  /** Clockwise degrees by which a player turns the video. */
  readonly rotation?: number;
  readonly video_codec?: string;
  readonly audio_codec?: string;
  /** Frames per second. */
  readonly frame_rate?: number;
  /** Bits per second of all tracks together. */
  readonly bit_rate?: number;
  /** Whether the file may contain location data. True when in doubt. */
  readonly has_location?: boolean;
}
