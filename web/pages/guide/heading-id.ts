/** Returns the fragment of a heading, as GitHub makes it: `If-Match: when others write too` → `if-match-when-others-write-too`. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}
