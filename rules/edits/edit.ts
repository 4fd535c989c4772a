/** A replacement of one stretch of a text; offsets are UTF-16 indices, `end` exclusive. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}
