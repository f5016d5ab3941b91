/** A generated file. */
export interface GeneratedFile {
  /** Letters, digits, `-`, `_` and `.`; unique among the files. */
  filename: string
  /** `sql`, `yaml`, `json` or `python`. */
  language: string
  content: string
}
