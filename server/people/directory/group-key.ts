/**
 * Returns the key by which names of groups are compared, in any letter case: the names in a mapping, those of a directory
 * and the values of claims. Keys are made only here and stored, never by lower() in SQL, which depends on the locale. It
 * is the lower case of Unicode, so `ẞ` is `ß`, but not `SS`; and `İ` is neither `i` nor `ı`.
 */
export function toGroupKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase().normalize('NFC')
}
