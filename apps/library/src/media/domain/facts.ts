/** What a probe finds beside type and size; what a format has not is absent. Stored as it is, so its members keep their names. */
export interface Facts {
  readonly has_alpha?: boolean;
  /** Of an animation; 1 for a still picture. */
  readonly frames?: number;
  /** Such as srgb or cmyk. */
  readonly colour_space?: string;
  /** EXIF's, 1 to 8, as it was stored. */
  readonly orientation?: number;
  /** Clockwise degrees by which a player turns the video. */
  readonly rotation?: number;
  readonly video_codec?: string;
  readonly audio_codec?: string;
  /** Pictures a second. */
  readonly frame_rate?: number;
  /** Bits a second, of everything together. */
  readonly bit_rate?: number;
  /** Whether the bytes may say where they were made: true in doubt, too. */
  readonly has_location?: boolean;
}
